// Colours of the heat map, the same scale as in the program's pictures: lightness changes all the way, so that the order can
// be read without any sense of hue. A colour means the same on light and on dark paper.

const STOPS = [
  [255, 255, 229],
  [199, 233, 180],
  [65, 182, 196],
  [34, 94, 168],
  [8, 29, 88],
];

/** The colour of a share from 0 to 1, and of text upon it. */
export function heat(share) {
  const at = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const stop = Math.min(STOPS.length - 2, Math.floor(at));
  const mixed = STOPS[stop].map((from, channel) => Math.round(from + (STOPS[stop + 1][channel] - from) * (at - stop)));
  return { colour: `rgb(${mixed.join()})`, ink: luminance(mixed) < EVEN ? "#ffffff" : "#000000" };
}

/** The luminance at which black and white text are read equally well, both with a contrast of 4.58. */
const EVEN = 0.179;

/** Relative luminance as WCAG 2 defines it. */
function luminance(channels) {
  const [red, green, blue] = channels
    .map((value) => value / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The largest chance of a table, not counting the given cells: what the scale ends at. */
export function hottest(odds, counts) {
  return odds.reduce(
    (most, row, r) => row.reduce((best, chance, c) => (counts(r, c) ? Math.max(best, chance) : best), most),
    0,
  );
}
