// Beside lesson 14: drag the edge of a sliding cache, and watch the weights and the loss.
import { softmax } from "../kit/maths.js";
import { draggable, retell, snap, write } from "../kit/drag.js";
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const WIDTH = 320, BARS = 96, TOP = 8, MOST = 0.2; // nats that the loss is drawn up to

/** Which of n keys a cache holds: the last ones, and perhaps the first (1) or second (2). */
export function keptKeys(n, window, beside) {
  return Array.from({ length: n }, (_, j) => j >= n - window || j === beside - 1);
}

/** Weights over the keys that are kept. */
export function weightsOf(scores, kept) {
  return softmax(scores.map((s, j) => (kept[j] ? s : -Infinity)));
}

/** The text with a bar on each letter, and the cache's edge to take hold of. */
function makeText(model, letters) {
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
  [0, 1].forEach((j) => {
    const hit = svgNode("rect", { x: j * step, y: foot, width: step, height: 30, class: "aw-tap" });
    hit.addEventListener("click", () =>
      write(model, { beside: model.get("beside") === j + 1 ? 0 : j + 1 }));
    svg.append(hit);
  });
  const edge = svgNode("rect", { y: foot + 1, width: 5, height: 24, rx: 2.5, class: "aw-edge" });
  const hold = svgNode("rect", { y: foot - 20, width: 36, height: 54 });
  svg.append(edge, hold);
  const left = () => (n - model.get("window")) * step;
  draggable(svg, hold, () => [left(), 0], ([x]) =>
    write(model, { window: snap(n - x / step, 1, n, 1) }));
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
      update(line, { d: `M${d.slice(0, n).join("L")}` });
      line.classList.toggle("aw-chosen", i === beside);
    });
    update(dot, { cx: x(window), cy: y(curves[beside][window - 1]) });
  };
  return { svg, set };
}

function render({ model, el }) {
  const letters = model.get("letters"), n = letters.length;
  const text = makeText(model, letters), curves = makeCurves(n, model.get("rises")[0]);
  const [weights, loss] = [1, 2].map(() => htmlNode("div", { className: "aw-heading" }));
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" },
    htmlNode("div", {}, weights, text.svg), htmlNode("div", {}, loss, curves.svg)));
  return redrawOn(model, ["window", "beside", "model"], () => {
    const [window, beside, which] = ["window", "beside", "model"].map((name) => model.get(name));
    const scores = model.get("scores")[which], rises = model.get("rises")[which];
    const kept = keptKeys(n, window, beside), now = weightsOf(scores, kept);
    const rise = fixed(rises[beside][window - 1]);
    text.set(now, softmax(scores), kept, beside);
    curves.set(rises, beside, window);
    retell(weights, `“${letters[n - 1]}” gives “${letters[0]}” ${fixed(now[0])}${kept[0] ? "" : ": dropped"}`);
    retell(loss, `Loss: ${rise.startsWith("−") ? rise : `+${rise}`} nats`);
    const list = letters.map((letter, j) => (kept[j] ? `${letter} ${fixed(now[j])}` : "")).filter(Boolean);
    text.svg.speak(`${kept.filter(Boolean).length} of ${n} keys in the cache. Weights: ${list.join(", ")}`);
    curves.svg.speak(`With these keys the loss after letters rises by ${rise} nats.`);
  });
}

export default { render };
