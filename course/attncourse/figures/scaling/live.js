// Lesson 3: scores divided by d_k to the power of p, for every d_k at once.
import { surface, svgNode, update, fixed, htmlNode } from "../kit/draw.js";
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { draggable, retell, snap } from "../kit/drag.js";

const WIDTH = 340, LEFT = 34, HALF = 5; // spreads from 2⁻⁵ to 2⁵
const TOP = 20, TALL = 120, NAMES = TOP + TALL + 12;
const CASES = ["under", "level", "over"];

const spreadAt = (y) => 2 ** (HALF - ((y - TOP) / TALL) * 2 * HALF);
const placeOf = (spread) => TOP + ((HALF - Math.log2(spread)) / (2 * HALF)) * TALL;

/** The exponent, in steps of 0.05, that takes a spread at d_k to about the wanted one. */
export function exponentFor(spread, dK, wanted) {
  return snap(Math.log(spread / wanted) / Math.log(dK), 0, 1, 0.05);
}

/** Every number of the figure, from what the control says. */
export function compute({ p }, { sizes, spreads }) {
  const spread = spreads.map((one, i) => one / sizes[i] ** p);
  return { spread, case: CASES[1 + Math.sign(Math.round(20 * p - 10))] };
}

/** The chart, a column for each d_k; its last point can be dragged. */
function makeSweep(sizes) {
  const svg = surface(WIDTH, NAMES + 10), step = (WIDTH - LEFT) / sizes.length;
  const middle = (i) => LEFT + (i + 0.5) * step;
  const label = (x, y, text, anchor = "start") =>
    svg.append(svgNode("text", { x, y, "text-anchor": anchor, class: "aw-tick" }, text));
  label(0, 10, "Spread of the scores");
  svg.append(svgNode("path", { class: "aw-level", d: `M${LEFT} ${placeOf(1)}H${WIDTH}` }));
  for (const [power, text] of [[4, "16"], [2, "4"], [0, "1"], [-2, "1/4"], [-4, "1/16"]]) {
    label(LEFT - 6, placeOf(2 ** power) + 4, text, "end");
  }
  sizes.forEach((dK, i) => label(middle(i), NAMES + 4, dK, "middle"));
  label(0, NAMES + 4, "dₖ");
  const line = svgNode("path", { class: "aw-swept" }), knob = svgNode("circle", { class: "aw-knob", r: 8 });
  const pull = svgNode("circle", { r: 18 });
  svg.append(line, knob, pull);
  const set = (spread) => {
    const points = spread.map((one, i) => [middle(i), placeOf(one)]), [cx, cy] = points.at(-1);
    update(line, { d: `M${points.map(([x, y]) => `${x} ${y.toFixed(1)}`).join("L")}` });
    for (const node of [knob, pull]) update(node, { cx, cy });
  };
  return { svg, set, pull, middle };
}

function draw({ el, data: { sizes, spreads, says }, state, put }) {
  const chart = makeSweep(sizes), last = sizes.length - 1;
  const power = htmlNode("sup"), divisor = htmlNode("div", { className: "aw-heading" },
    "Scores ÷ ", htmlNode("i", {}, "d"), htmlNode("sub", { textContent: "k" }), power);
  const note = htmlNode("p", { className: "aw-hint aw-verdict" });
  el.append(htmlNode("div", { className: "aw-alone" }, divisor, chart.svg, note));
  draggable(chart.svg, chart.pull,
    () => [chart.middle(last), placeOf(spreads[last] / sizes[last] ** state().p)],
    ([, y]) => put({ p: exponentFor(spreads[last], sizes[last], spreadAt(y)) }));
  return (now, { p }) => {
    chart.set(now.spread);
    retell(power, fixed(p));
    note.textContent = says[now.case];
  };
}

export const goal = (now) => now.case === "level";

export default live({ compute, draw, task: challenge(goal) });
