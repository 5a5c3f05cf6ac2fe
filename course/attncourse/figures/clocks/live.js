// Lesson 7: two positions moved along a text together; the angle between their hands
// stays what it is.
import { positionalEncoding } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, surface, svgNode, update } from "../kit/draw.js";
import { draggable, retell } from "../kit/drag.js";

const WIDTH = 344, LEFT = 16, RIGHT = WIDTH - 16, LINE = 34, DIAL = 58, CY = 126, BASE = 10000, EACH = 5;
const KINDS = ["aw-first", "aw-later"];

/** By how much hand i turns in so many steps, in radians. */
export function turned(steps, i, dModel) {
  return steps / BASE ** ((2 * i) / dModel);
}

/** A slice of a clock face of radius r, from one angle on, without the whole turns. */
export function slice(from, far, r) {
  const by = far % (2 * Math.PI);
  const tip = (angle) => `${(r * Math.sin(angle)).toFixed(2)} ${(-r * Math.cos(angle)).toFixed(2)}`;
  return `M0 0L${tip(from)}A${r} ${r} 0 ${by > Math.PI ? 1 : 0} 1 ${tip(from + by)}Z`;
}

/** One clock: two hands, and the slice between them. */
function makeClock(svg, i, n) {
  const cx = ((i + 0.5) * WIDTH) / n, node = svgNode("g", { transform: `translate(${cx} ${CY})` });
  const between = svgNode("path", { class: "aw-between" });
  const hands = KINDS.map((kind) => svgNode("path", { class: `aw-hand ${kind}` }));
  const text = (y, kind) => svgNode("text", { y, "text-anchor": "middle", class: kind });
  const angle = text(DIAL + 17, "aw-strong"), name = text(DIAL + 33, "aw-tick");
  name.textContent = `hand ${i}`;
  node.append(svgNode("circle", { r: DIAL, class: "aw-axis" }), between, ...hands, angle, name);
  svg.append(node);
  return (encodings, position, step, dModel) => {
    const [from, by] = [turned(position, i, dModel), turned(step, i, dModel)];
    update(between, { d: slice(from, by, DIAL * 0.6) });
    hands.forEach((hand, j) => {
      const [x, y] = encodings[j].slice(2 * i, 2 * i + 2).map((v) => ((DIAL - 3) * v).toFixed(2));
      update(hand, { d: `M0 0L${x} ${-y}` });
    });
    retell(angle, fixed(by, 3));
  };
}

/** The text as a line of positions, with two that can be dragged. */
function makeLine(svg, end) {
  const at = (place) => LEFT + (place / end) * (RIGHT - LEFT);
  const ticks = Array.from({ length: 1 + end / EACH }, (_, i) => `M${at(i * EACH)} ${LINE - 3}v6`).join("");
  const bar = svgNode("path", { class: "aw-joined" });
  svg.append(svgNode("path", { class: "aw-axis", d: `M${LEFT} ${LINE}H${RIGHT}${ticks}` }), bar);
  for (const place of [0, end / 2, end])
    svg.append(svgNode("text", { x: at(place), y: LINE + 17, "text-anchor": "middle", class: "aw-tick" }, place));
  const marks = KINDS.map((kind) => {
    const node = svgNode("g", { class: kind }), spot = svgNode("circle", { r: 6, cy: LINE, class: "aw-mark" });
    const text = svgNode("text", { y: LINE - 16, "text-anchor": "middle", class: "aw-strong" });
    const hold = svgNode("circle", { r: 15, cy: LINE, class: "aw-hold" });
    node.append(spot, text, hold);
    svg.append(node);
    return { spot, text, hold };
  });
  const set = (places) => {
    update(bar, { d: `M${at(places[0])} ${LINE}H${at(places[1])}` });
    marks.forEach(({ spot, text, hold }, i) => {
      const x = at(places[i]), near = Math.abs(at(places[0]) - at(places[1])) < 24;
      update(spot, { cx: x });
      update(hold, { cx: x + (near ? [-12, 12][i] : 0) });
      update(text, { x: x + (near ? [-10, 10][i] : 0) });
      text.textContent = near && places[0] === places[1] && i ? "" : places[i];
    });
  };
  const place = (x) => ((x - LEFT) / (RIGHT - LEFT)) * end;
  return { set, place, at, holds: marks.map(({ hold }) => hold) };
}

/** Every number of the figure, from what the controls say. */
export function compute({ position, step }, { sizes: [dModel], hands }) {
  const later = position + step, encodings = [position, later].map((p) => positionalEncoding(p, dModel, BASE));
  return { encodings, later, turns: hands.map((_, i) => turned(step, i, dModel)) };
}

function draw({ el, data: { sizes: [dModel, last, most], hands }, state, put }) {
  const svg = surface(WIDTH, CY + DIAL + 38, "aw-clocks"), line = makeLine(svg, last + most);
  const clocks = hands.map((_, i) => makeClock(svg, i, hands.length));
  el.append(svg);
  const later = () => state().position + state().step;
  draggable(svg, line.holds[0], () => [line.at(state().position), 0], ([x]) => put({ position: line.place(x) }));
  draggable(svg, line.holds[1], () => [line.at(later()), 0], ([x]) => put({ step: line.place(x) - state().position }));
  return (now, { position, step }) => {
    line.set([position, now.later]);
    clocks.forEach((set) => set(now.encodings, position, step, dModel));
  };
}

export default live({ compute, draw });
