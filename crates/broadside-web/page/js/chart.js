// Small charts as SVG. Lines differ by dash and by the sign at their end as well as by colour.

import { svg } from "./dom.js";

const WIDTH = 460;
const HEIGHT = 260;
const MARGIN = { left: 58, right: 14, top: 12, bottom: 36 };
/** How many lines differ in colour and dash (see `.line-0` and so on in the style). */
const KINDS = 8;

/**
 * A chart of lines.
 * @param {{label: string, x: string, y: string, series: {name: string, points: [number, number][], steps?: boolean}[],
 *   xRange?: [number, number], yMax?: number, format?: (value: number) => string, mark?: number}} options
 *   `mark` is a vertical line at a value of x
 */
export function chart({ label, x, y, series, xRange, yMax, format = String, mark }) {
  const points = series.flatMap((line) => line.points);
  const [from, to] = xRange ?? range(points.map(([value]) => value));
  const most = yMax ?? (Math.max(...points.map(([, value]) => value), 0) * 1.05 || 1);
  const scale = {
    x: (value) => MARGIN.left + ((value - from) / (to - from || 1)) * (WIDTH - MARGIN.left - MARGIN.right),
    y: (value) => HEIGHT - MARGIN.bottom - (value / most) * (HEIGHT - MARGIN.top - MARGIN.bottom),
  };
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    ticks(0, most).map((value) => gridLine(value, scale, format)),
    ticks(from, to).map((value) => tick(value, scale)),
    mark === undefined
      ? null
      : svg("line", { class: "mark", x1: scale.x(mark), x2: scale.x(mark), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }),
    series.map((line, i) => path(line, i, scale)),
    svg("text", { class: "axis", x: (WIDTH + MARGIN.left) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, x),
    svg(
      "text",
      { class: "axis", x: -(HEIGHT - MARGIN.bottom) / 2, y: 12, transform: "rotate(-90)", "text-anchor": "middle" },
      y,
    ),
  );
}

function range(values) {
  return values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
}

/** Round values between two, about five of them. */
function ticks(from, to) {
  const rough = (to - from) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step + 1e-9);
  // Rounded, since 3 × 0.1 is not 0.3.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function gridLine(value, scale, format) {
  const y = scale.y(value);
  return svg(
    "g",
    {},
    svg("line", { class: "grid-line", x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y, y2: y }),
    svg("text", { class: "tick", x: MARGIN.left - 6, y: y + 4, "text-anchor": "end" }, format(value)),
  );
}

function tick(value, scale) {
  return svg(
    "text",
    { class: "tick", x: scale.x(value), y: HEIGHT - MARGIN.bottom + 17, "text-anchor": "middle" },
    String(value),
  );
}

/**
 * @param {{points: [number, number][], steps?: boolean}} line
 * @param {number} index
 * @param {{x: (value: number) => number, y: (value: number) => number}} scale
 */
function path({ points, steps }, index, scale) {
  const at = points.map(([x, y]) => [scale.x(x).toFixed(1), scale.y(y).toFixed(1)]);
  const join = ([x, y], i) => (i === 0 ? `M${x} ${y}` : steps ? `H${x}V${y}` : `L${x} ${y}`);
  return svg("path", { class: `line line-${index % KINDS}`, d: at.map(join).join("") });
}

/** The sample of a line in a legend. */
export function sample(index) {
  return svg(
    "svg",
    { class: "sample", viewBox: "0 0 34 10", width: 34, height: 10, "aria-hidden": "true" },
    svg("path", { class: `line line-${index % KINDS}`, d: "M1 5H33" }),
  );
}
