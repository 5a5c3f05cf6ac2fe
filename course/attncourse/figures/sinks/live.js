// Beside lesson 14: drag the edge of a sliding cache, and watch the weights and the loss.
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { draggable, retell } from "../kit/drag.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { show } from "../kit/read.js";
import { makeSound } from "../kit/sound.js";

const WIDTH = 320, BARS = 96, TOP = 8, MOST = 0.2; // nats that the loss is drawn up to

/** Every number of the figure, from what the controls say. */
export function compute({ window, beside, model }, { letters, besides, scores, rises }) {
  const kept = letters.map((_, j) => j >= letters.length - window || j === besides.indexOf(beside) - 1);
  return { kept, rise: rises[model][beside][window - 1],
    weights: softmax(scores[model].map((s, j) => (kept[j] ? s : -Infinity))), all: softmax(scores[model]) };
}

/** The text with a bar on each letter, and the cache's edge to take hold of. */
function makeText({ data: { letters }, state, put }) {
  const n = letters.length, step = WIDTH / n, foot = TOP + BARS;
  const svg = surface(WIDTH, foot + 34), box = { y: foot + 3, height: 20, rx: 3 };
  const cache = svgNode("rect", { ...box, class: "aw-kept" });
  const extra = svgNode("rect", { ...box, width: step, class: "aw-kept" });
  svg.append(cache, extra, svgNode("path", { class: "aw-axis", d: `M0 ${foot}H${WIDTH}` }));
  const nodes = letters.map((letter, j) => {
    const place = { x: j * step + 2, width: step - 4 };
    const was = svgNode("rect", { ...place, class: "aw-was" });
    const bar = svgNode("rect", { ...place, class: "aw-bar" });
    const text = svgNode("text",
      { x: (j + 0.5) * step, y: foot + 18, "text-anchor": "middle", class: "aw-small" }, letter);
    svg.append(was, bar, text);
    return { was, bar, text };
  });
  const edge = svgNode("rect", { y: foot + 1, width: 5, height: 24, rx: 2.5, class: "aw-edge" });
  const hold = svgNode("rect", { y: foot - 20, width: 36, height: 54 });
  svg.append(edge, hold);
  const left = () => (n - state().window) * step;
  draggable(svg, hold, () => [left(), 0], ([x]) => put({ window: n - x / step }));
  const height = (bar, w) => update(bar, { y: foot - BARS * w, height: BARS * w });
  const set = (weights, all, kept, beside) => {
    nodes.forEach(({ was, bar, text }, j) => {
      height(was, all[j]);
      height(bar, weights[j]);
      text.classList.toggle("aw-faint", !kept[j]);
    });
    update(cache, { x: left() + 0.5, width: WIDTH - left() - 1 });
    update(extra, { x: (beside - 1) * step, visibility: beside ? "visible" : "hidden" });
    update(edge, { x: left() - 2 });
    update(hold, { x: Math.min(Math.max(left() - 18, 0), WIDTH - 36) });
  };
  return { svg, set };
}

/** The rise of the loss against the keys kept: a curve for each thing kept beside them. */
function makeCurves(n, names) {
  const svg = surface(WIDTH, 128), left = 30, foot = 96, top = 8;
  const x = (window) => WIDTH - 8 - ((n - window) * (WIDTH - 8 - left)) / (n - 1);
  const y = (rise) => foot - ((foot - top) * rise) / MOST;
  svg.append(svgNode("path", { class: "aw-axis", d: `M${left} ${top}V${foot}H${WIDTH}` }));
  for (const rise of [0, 0.1, 0.2]) {
    svg.append(svgNode("text",
      { x: left - 5, y: y(rise) + 4, "text-anchor": "end", class: "aw-tick" }, fixed(rise, 1)));
  }
  for (const window of [1, 8, 16, n]) {
    svg.append(svgNode("text",
      { x: x(window), y: foot + 14, "text-anchor": "middle", class: "aw-tick" }, window));
  }
  svg.append(svgNode("text", { x: WIDTH, y: foot + 29, "text-anchor": "end", class: "aw-tick" },
    "last keys kept"));
  const lines = names.map(() => svgNode("path", { class: "aw-curve" }));
  const dot = svgNode("circle", { r: 5, class: "aw-bar" });
  svg.append(...lines, dot);
  const set = (curves, beside, window) => {
    lines.forEach((line, i) => {
      const d = curves[i].map((rise, k) => `${x(k + 1).toFixed(1)} ${y(rise).toFixed(1)}`);
      update(line, { d: `M${d.join("L")}` });
      line.classList.toggle("aw-chosen", i === beside);
    });
    update(dot, { cx: x(window), cy: y(curves[beside][window - 1]) });
  };
  return { svg, set };
}

function draw(figure) {
  const { el, data: { letters, besides, rises } } = figure, n = letters.length;
  const text = makeText(figure), curves = makeCurves(n, besides);
  const [weights, loss] = [1, 2].map(() => htmlNode("div", { className: "aw-heading" }));
  el.append(htmlNode("div", { className: "aw-columns" },
    htmlNode("div", {}, weights, text.svg), htmlNode("div", {}, loss, curves.svg)));
  return (now, { window, beside, model }) => {
    const which = besides.indexOf(beside);
    text.set(now.weights, now.all, now.kept, which);
    curves.set(besides.map((one) => rises[model][one]), which, window);
    retell(weights, `“${letters[n - 1]}” gives “${letters[0]}” ${fixed(now.weights[0])}${now.kept[0] ? "" : ": dropped"}`);
    retell(loss, `Loss: ${show(now.rise, "+.2f")} nats`);
  };
}

export default live({ compute, draw, sound: makeSound });
