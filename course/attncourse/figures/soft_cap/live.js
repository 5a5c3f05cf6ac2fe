// Soft cap: drag a score along the cap's curve, and see the weights with and without it.
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { draggable, retell } from "../kit/drag.js";

const WIDTH = 344, LEFT = 58, FOOT = 144, TOP = 20, BARS = 190, EDGE = 14, ROW = 26, LONG = 200;

/** Every number of the figure, from what the controls say. */
export function compute({ score, cap }, { others }) {
  const bend = (s) => cap * Math.tanh(s / cap), scores = [score, ...others], capped = scores.map(bend);
  return { scores, capped, plain: softmax(scores), weights: softmax(capped),
    most: softmax([cap, ...capped.slice(1)])[0], slope: 1 - Math.tanh(score / cap) ** 2 };
}

/** The curve, a dot for each word on it, the first of which can be dragged. */
function makeCurve(svg, { data: { words, range: [least, most, high] }, state, put }) {
  const x = (s) => LEFT + ((s - least) / (most - least)) * (WIDTH - LEFT - EDGE);
  const y = (s) => FOOT - ((s - least) / (high - least)) * (FOOT - TOP);
  const text = (at, up, words_, anchor) => svg.append(svgNode("text", { x: at, y: up, "text-anchor": anchor, class: "aw-tick" }, words_));
  const curve = svgNode("path", { class: "aw-bent" }), top = svgNode("path", { class: "aw-axis" });
  svg.append(svgNode("path", { class: "aw-axis", d: `M${LEFT} ${TOP}V${FOOT}H${WIDTH}` }),
    svgNode("path", { class: "aw-axis aw-dotted", d: `M${LEFT} ${FOOT}L${x(high)} ${y(high)}` }), top, curve);
  for (const s of [0, 50, 100]) text(LEFT - 6, y(s) + 4, s, "end");
  for (const s of [0, 50, 100, 150, 200]) text(x(s), FOOT + 14, s, "middle");
  text(LEFT, TOP - 8, "capped", "middle");
  text(WIDTH, FOOT + 30, "score", "end");
  const dots = words.map((_, i) => svgNode("circle", { r: i ? 3.5 : 7, class: "aw-on" }));
  const name = svgNode("text", { "text-anchor": "middle", class: "aw-strong aw-halo" }, words[0]), hold = svgNode("circle", { r: 18 });
  svg.append(...dots, name, hold);
  const place = () => { const { score, cap } = state(); return [x(score), y(cap * Math.tanh(score / cap))]; };
  draggable(svg, hold, place, ([at]) => put({ score: least + ((at - LEFT) / (WIDTH - LEFT - EDGE)) * (most - least) }));
  return ({ scores, capped }, { cap }) => {
    dots.forEach((dot, i) => update(dot, { cx: x(scores[i]), cy: y(capped[i]) }));
    update(hold, { cx: x(scores[0]), cy: y(capped[0]) });
    update(name, { x: x(scores[0]), y: y(capped[0]) + 22 });
    update(top, { d: `M${LEFT} ${y(cap)}H${WIDTH}` });
    const along = Array.from({ length: 111 }, (_, i) => least + 2 * i);
    update(curve, { d: `M${along.map((s) => `${x(s).toFixed(1)} ${y(cap * Math.tanh(s / cap)).toFixed(1)}`).join("L")}` });
  };
}

/** Two bars for each word: its weight without the cap, in gray, and with it. */
function makeBars(svg, words) {
  const rows = words.map((word, i) => {
    const at = BARS + i * ROW, [was, bar] = [["aw-was", at], ["aw-bar", at + 9]].map(([one, y]) => svgNode("rect", { x: LEFT, y, height: 8, class: one }));
    const text = svgNode("text", { y: at + 14 });
    svg.append(svgNode("text", { x: 0, y: at + 14 }, word), was, bar, text);
    return { was, bar, text };
  });
  return ({ plain, weights }) => rows.forEach(({ was, bar, text }, i) => {
    update(was, { width: LONG * plain[i] });
    update(bar, { width: LONG * weights[i] });
    update(text, { x: LEFT + LONG * Math.max(plain[i], weights[i]) + 6 });
    text.textContent = fixed(weights[i], 3);
  });
}

function draw(given) {
  const { el, data: { words } } = given, svg = surface(WIDTH, BARS + words.length * ROW, "aw-caps");
  const curve = makeCurve(svg, given), bars = makeBars(svg, words);
  const told = htmlNode("b"), most = htmlNode("b"), slope = htmlNode("b");
  el.append(svg, htmlNode("p", { className: "aw-hint" }, "Capped, “dog” gets ", told, ", and however large its score, no more than ", most,
    ". Slope of the cap there: ", slope, ". Gray: weights without the cap."));
  return (now, at) => {
    curve(now, at);
    bars(now);
    retell(told, fixed(now.weights[0], 3));
    retell(most, fixed(now.most, 3));
    retell(slope, fixed(now.slope, 3));
  };
}

export default live({ compute, draw });
