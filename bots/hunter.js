// A Battleship bot that speaks UBI (docs/ubi.md): fires next to hits, otherwise at random on a pattern.
let seed = 1, rows, cols, fleet, touch, shots = [];
const random = (n) => ((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8) % n;
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const name = (r, c) => (letters[Math.floor(r / 26) - 1] ?? "") + letters[r % 26] + (c + 1);
const all = () => Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols]);
const around = ([r, c]) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => [r + y, c + x]));

function place() { // puts ships where they fit, and starts over when one doesn't
  for (let blocked = new Set(), ships = [], tries = 0; ; tries += 1) {
    if (ships.length === fleet.length) return "layout " + ships.join(" ");
    if (tries > 1000) [blocked, ships, tries] = [new Set(), [], 0];
    const length = fleet[ships.length], [r, c] = all()[random(rows * cols)], down = random(2);
    const cells = Array.from({ length }, (_, i) => [r + down * i, c + (1 - down) * i]), end = cells[length - 1];
    if (end[0] >= rows || end[1] >= cols || cells.some((cell) => blocked.has(String(cell)))) continue;
    for (const cell of touch === "allowed" ? cells : cells.flatMap(around)) blocked.add(String(cell));
    ships.push(length > 1 ? name(r, c) + "-" + name(...end) : name(r, c));
  }
}

function shoot() {
  const answers = new Map(shots.map((shot) => [shot.match(/^[A-Z]+\d+/)[0], shot]));
  const free = all().filter((cell) => !answers.has(name(...cell)));
  const hit = ([r, c]) => r >= 0 && /[+#]/.test(answers.get(name(r, c)) ?? "");
  const near = free.filter(([r, c]) => [[r, c - 1], [r, c + 1], [r - 1, c], [r + 1, c]].some(hit));
  const pattern = free.filter(([r, c]) => (r + c) % Math.min(...fleet) === 0);
  const choice = [near, pattern, free].find((cells) => cells.length);
  return "bestshot " + name(...choice[random(choice.length)]);
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "ubi") console.log("id name hunter-js\noption name seed type spin default 0\nubiok");
  else if (word === "setoption" && rest[1] === "seed") seed = Number(BigInt(rest[3]) & 0xffffffffn);
  else if (word === "newgame") {
    [[rows, cols], fleet] = [rest[0].split("x"), rest[1].split(",")].map((list) => list.map(Number));
    [touch, shots] = [rest[2], []];
  } else if (word === "place") console.log(place());
  else if (word === "position") shots = rest;
  else if (word === "go") console.log(shoot());
  else if (word === "quit") process.exit(0);
});
