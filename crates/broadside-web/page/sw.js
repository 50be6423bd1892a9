// Lets the page start without its server: files of the page, the lists that never change, games and reviews already seen. What
// the server can answer, it answers; only when it can't be reached comes what was kept.

const CACHE = "broadside-1";
/** All files of the page; a test holds the list to the folder. */
const FILES = [
  "/",
  "/assets/icon.svg",
  "/assets/manifest.webmanifest",
  "/assets/css/base.css",
  "/assets/css/board.css",
  "/assets/css/contrast.css",
  "/assets/css/puzzle.css",
  "/assets/css/views.css",
  "/assets/js/analyse.js",
  "/assets/js/answers.js",
  "/assets/js/api.js",
  "/assets/js/battle.js",
  "/assets/js/board.js",
  "/assets/js/chart.js",
  "/assets/js/coach.js",
  "/assets/js/daily-task.js",
  "/assets/js/daily.js",
  "/assets/js/dialog.js",
  "/assets/js/dom.js",
  "/assets/js/ending.js",
  "/assets/js/fleet.js",
  "/assets/js/game.js",
  "/assets/js/habits-card.js",
  "/assets/js/habits.js",
  "/assets/js/heat.js",
  "/assets/js/hider-choice.js",
  "/assets/js/hiding-review.js",
  "/assets/js/history-view.js",
  "/assets/js/history.js",
  "/assets/js/how-to-play.js",
  "/assets/js/i18n.js",
  "/assets/js/invitation.js",
  "/assets/js/join.js",
  "/assets/js/lab.js",
  "/assets/js/live.js",
  "/assets/js/main.js",
  "/assets/js/marking.js",
  "/assets/js/marks.js",
  "/assets/js/notation.js",
  "/assets/js/notice.js",
  "/assets/js/opponents.js",
  "/assets/js/pace.js",
  "/assets/js/pass.js",
  "/assets/js/placing.js",
  "/assets/js/position.js",
  "/assets/js/puzzle-model.js",
  "/assets/js/puzzle.js",
  "/assets/js/referee.js",
  "/assets/js/replay.js",
  "/assets/js/review-shots.js",
  "/assets/js/review.js",
  "/assets/js/rocks.js",
  "/assets/js/router.js",
  "/assets/js/rules-form.js",
  "/assets/js/seen.js",
  "/assets/js/setup.js",
  "/assets/js/share.js",
  "/assets/js/shell.js",
  "/assets/js/shots-to-go.js",
  "/assets/js/solo.js",
  "/assets/js/sound.js",
  "/assets/js/start-cards.js",
  "/assets/js/store.js",
  "/assets/js/sunk-marks.js",
  "/assets/js/sync.js",
  "/assets/js/theme.js",
  "/assets/js/timeline.js",
  "/assets/js/undo.js",
  "/assets/js/watch.js",
  "/assets/js/words.js",
  "/assets/lang/de.js",
  "/assets/lang/en.js",
  "/assets/lang/es.js",
  "/assets/lang/ru.js",
];
/** What is kept of the interface: nothing that asks the server to do something. */
const KEPT = [/^\/api\/(captains|presets)$/, /^\/api\/games\/[^/]+(\/review)?$/, /^\/api\/replays\/[^/]+(\/review)?$/];

self.addEventListener("install", (event) => {
  const keep = async () => (await caches.open(CACHE)).addAll(FILES);
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const tidy = async () => Promise.all((await caches.keys()).filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isOurs = event.request.method === "GET" && url.origin === self.location.origin;
  if (isOurs && (FILES.includes(url.pathname) || KEPT.some((path) => path.test(url.pathname)))) event.respondWith(answer(event.request, url));
});

/** The server's answer, which is kept; what was kept, where there is none. Without either the request fails as it would. */
async function answer(request, url) {
  const cache = await caches.open(CACHE);
  const key = url.pathname + url.search;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}
