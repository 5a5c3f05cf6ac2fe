// Lesson 10: one row of attention on the way forward, and its gradients on the way back.
import { dot, multiply, softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";
import { square, star } from "../kit/plane.js";

const LEFT = 52, CELL = 62, ROWS = [44, 112, 180], FOOT = 250;

/** Every number of the figure: scores, weights, output, and the gradient of each. */
export function compute({ steps }, { words, x, w_query: first, w_key: second, value, wanted, rate }) {
  const [wQuery, wKey] = [first, second].map((w) => w.map((row) => [...row])), root = Math.SQRT2, asks = x[x.length - 1];
  for (let step = 0; ; step++) {
    const [query] = multiply([asks], wQuery), key = multiply(x, wKey), scores = key.map((row) => dot(row, query) / root), weights = softmax(scores);
    const output = [0, 1].map((c) => weights.reduce((sum, w, j) => sum + w * value[j][c], 0));
    const ofOutput = output.map((one, c) => one - wanted[c]), ofWeights = value.map((row) => dot(row, ofOutput));
    const mean = dot(weights, ofWeights), ofScores = weights.map((w, j) => w * (ofWeights[j] - mean));
    if (step === steps) {
      return { scores, weights, output, loss: dot(ofOutput, ofOutput) / 2, of_output: ofOutput, of_weights: ofWeights,
        of_scores: ofScores, total: Number(ofScores.reduce((a, b) => a + b).toFixed(9)) + 0,
        best: words[ofScores.indexOf(Math.min(...ofScores))] };
    }
    const slope = ofScores.map((one) => (rate * one) / root);
    const [back] = multiply([slope], key), [rows] = multiply([slope], x);
    wQuery.forEach((row, i) => row.forEach((_, c) => { row[c] -= asks[i] * back[c]; }));
    wKey.forEach((row, i) => row.forEach((_, c) => { row[c] -= rows[i] * query[c]; }));
  }
}

const middle = (x, y, more = {}) => ({ x, y, "text-anchor": "middle", ...more });
const slope = (x, digits = 2) => `∇\u2009${fixed(x, digits)}`;

/** A row of numbers with a gradient below each; arrows lead down to the next row and back up. */
function makeRow(svg, name, y, n, kind) {
  svg.append(svgNode("text", { x: 0, y: y + 4, class: "aw-small aw-muted" }, name));
  return Array.from({ length: n }, (_, j) => {
    const x = LEFT + (j + 0.5) * CELL, box = { x: x - CELL / 2 + 2, y: y - 13, width: CELL - 4, height: 40, rx: 4 };
    const frame = svgNode("rect", { ...box, class: "aw-box" }), number = svgNode("text", middle(x, y + 3, { class: kind }));
    const back = svgNode("text", middle(x, y + 20, { class: "aw-small aw-slope" }));
    const ways = svgNode("text", middle(x, y + 45, { class: "aw-small aw-muted", "aria-hidden": "true" }), "↓  ↑");
    svg.append(frame, number, back, ways);
    return { frame, number, back };
  });
}

/** The whole pass: words, scores, weights, values, the output. */
function makePass(words, value) {
  const svg = surface(LEFT + words.length * CELL, FOOT + 30, "aw-pass"), n = words.length;
  words.forEach((word, j) => svg.append(svgNode("text", middle(LEFT + (j + 0.5) * CELL, 18, { class: "aw-small" }), word)));
  const scores = makeRow(svg, "score", ROWS[0], n, ""), weights = makeRow(svg, "weight", ROWS[1], n, "aw-of-weight");
  makeRow(svg, "value", ROWS[2], n, "aw-of-value").forEach(({ number, back }, j) => {
    number.textContent = `(${value[j].join(", ")})`;
    back.textContent = "given";
  });
  const place = LEFT + (n * CELL) / 2, output = svgNode("text", middle(place, FOOT, { class: "aw-strong" }));
  const back = svgNode("text", middle(place, FOOT + 19, { class: "aw-slope" }));
  svg.append(output, back);
  return { svg, scores, weights, output, back };
}

/** The values in their plane, the output, and the arrow from it to what is wanted. */
function makePlane(words, value, wanted) {
  const flat = square(-0.25, 1.25, { ticks: [1], names: ["alive", "edible"], size: 200 });
  const { svg, at } = flat;
  svg.append(svgNode("polygon", { points: star(at(wanted), 9), class: "aw-corner" }));
  for (const word of ["dog", "food"]) {
    const [x, y] = at(value[words.indexOf(word)]);
    svg.append(svgNode("circle", { cx: x, cy: y, r: 4, class: "aw-corner" }));
    svg.append(svgNode("text", { ...(word === "dog" ? { x: x - 9, y: y - 14, "text-anchor": "end" } : { x: x + 9, y: y + 5 }), class: "aw-small aw-of-value" }, word));
  }
  const line = svgNode("path", { class: "aw-arrow" }), dot = svgNode("circle", { r: 5, class: "aw-output" });
  svg.append(line, dot);
  const [right, low] = at(wanted);
  return { svg, set: (output) => {
    const [x, y] = at(output), long = Math.hypot(right - x, low - y) || 1;
    const [u, v] = [(right - x) / long, (low - y) / long], tip = [right - 11 * u, low - 11 * v];
    const wing = (side) => `${tip[0] - 8 * u + 5 * side * v} ${tip[1] - 8 * v - 5 * side * u}`;
    update(line, { d: long > 24 ? `M${x} ${y}L${tip.join(" ")}M${wing(1)}L${tip.join(" ")}L${wing(-1)}` : "" });
    update(dot, { cx: x, cy: y });
  } };
}

function draw({ el, data: { words, value, wanted } }) {
  const pass = makePass(words, value), flat = makePlane(words, value, wanted);
  const note = htmlNode("p", { className: "aw-hint" });
  el.append(htmlNode("div", { className: "aw-columns" }, pass.svg, htmlNode("div", { className: "aw-goes" }, flat.svg, note)));
  return (now) => {
    for (const name of ["scores", "weights"]) {
      pass[name].forEach(({ frame, number, back }, j) => {
        retell(number, fixed(now[name][j]));
        retell(back, slope(now[`of_${name}`][j], name === "scores" ? 3 : 2));
        frame.classList.toggle("aw-raised", now[`of_${name}`][j] < -0.0005);
      });
    }
    retell(pass.output, `output (${now.output.map((one) => fixed(one)).join(", ")}), loss ${fixed(now.loss, 3)}`);
    retell(pass.back, `∇ (${now.of_output.map((one) => fixed(one)).join(", ")})`);
    flat.set(now.output);
    note.textContent = `From the output to the star: minus its gradient. In a heavy frame: what lowers the loss when it grows. The five gradients of the scores add up to ${fixed(now.total)}.`;
  };
}

export default live({ compute, draw });
