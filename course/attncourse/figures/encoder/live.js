// Lesson 8: an encoder layer step by step, with a choice of mask.
import { fixed, heatmap, htmlNode, redrawOn, surface, svgNode } from "../kit/draw.js";

const WIDTH = 320, BOX = 116, HEIGHT = 26, GAP = 12, STRIDE = HEIGHT + GAP;

// Each step: its name in the picture, what it computes, and what to see there.
const STEPS = [
  ["input", "x", "One row for each token: three words, and padding, which is zeros. Step on."],
  ["attention", "a = attention(x)",
    "Each row is now a mean of values. The mask decides whose: try all four."],
  ["add", "x + a", "The input comes back: a word keeps what it was and gains what it attended to."],
  ["norm", "h = norm(x + a)", "Every row that is not all equal gets mean 0 and spread 1."],
  ["feed-forward", "f = feed_forward(h)", "Each row is transformed by itself. No row sees another."],
  ["add", "h + f", "What came in is added again."],
  ["norm", "output = norm(h + f)", "The output has the shape of the input, ready for the next layer."],
];
const RESIDUALS = [[0, 2], [3, 5]]; // from a step to the step that adds it

/** A weight as text: a forbidden pair has weight exactly 0, and says so. */
export function shown(weight) {
  return weight === 0 ? "0" : fixed(weight, 2);
}

const top = (i) => 2 + i * STRIDE;

/** The layer as a column of boxes with its two residual paths; set(step) lights one up. */
function makeLayer() {
  const svg = surface(WIDTH, top(STEPS.length) - GAP + 2, "aw-layer");
  const line = (d) => svgNode("path", { class: "aw-flow", d });
  const boxes = STEPS.map(([name, formula], i) => {
    const y = top(i), middle = y + HEIGHT / 2 + 4;
    if (i) svg.append(line(`M${BOX / 2} ${y - GAP}V${y}`));
    const box = svgNode("g", { class: "aw-stage" });
    box.append(svgNode("rect", { x: 1, y, width: BOX, height: HEIGHT, rx: 5 }),
      svgNode("text", { x: 1 + BOX / 2, y: middle, "text-anchor": "middle" }, name),
      svgNode("text", { x: BOX + 46, y: middle, class: "aw-formula" }, formula));
    svg.append(box);
    return box;
  });
  const arcs = RESIDUALS.map(([from, to]) => {
    const [start, end] = [from, to].map((i) => top(i) + HEIGHT / 2), x = BOX + 1;
    const head = `M${x + 7} ${end - 4}L${x + 1} ${end}L${x + 7} ${end + 4}`;
    const arc = line(`M${x} ${start}h14q10 0 10 10V${end - 10}q0 10 -10 10h-13${head}`);
    svg.append(arc);
    return arc;
  });
  const set = (step) => {
    boxes.forEach((box, i) => box.classList.toggle("aw-now", i === step));
    arcs.forEach((arc, i) => arc.classList.toggle("aw-now", RESIDUALS[i][1] === step));
  };
  return { svg, set };
}

function render({ model, el }) {
  const tokens = model.get("tokens"), masks = model.get("masks");
  const all = model.get("rows"), most = Math.max(...all.flat(3).map(Math.abs));
  const layer = makeLayer(), note = htmlNode("p", { className: "aw-hint" });
  const columns = [...all[0][0][0].slice(2).map((_, j) => `${j + 1}`), "mean", "spread"];
  const rows = heatmap(tokens, columns, { signed: true, left: 54 });
  const weights = heatmap(tokens, tokens, { left: 54 });
  rows.svg.classList.add("aw-stream");
  const title = htmlNode("div", { className: "aw-heading" });
  const heading = htmlNode("div", { className: "aw-heading" });
  const numbers = htmlNode("div", { className: "aw-stack" },
    htmlNode("div", {}, title, rows.svg), htmlNode("div", {}, heading, weights.svg));
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" },
    htmlNode("div", {}, layer.svg, note), numbers));

  const listed = (matrix, text) => tokens.map((token, i) =>
    `${token} ${matrix[i].map(text).join(", ")}`).join("; ");
  return redrawOn(model, ["step", "mask"], () => {
    const step = model.get("step"), mask = model.get("mask");
    const [name, formula, says] = STEPS[step];
    const matrix = all[mask][step], shares = model.get("weights")[mask];
    layer.set(step);
    rows.set(matrix, most);
    weights.set(shares);
    weights.cells.forEach((row, i) => row.forEach(({ text }, j) => {
      text.textContent = shown(shares[i][j]);
      text.classList.toggle("aw-forbidden", shares[i][j] === 0);
    }));
    note.textContent = says;
    title.textContent = `Step ${step + 1} of ${STEPS.length}, ${name}: ${formula}`;
    heading.textContent = `Weights, mask: ${masks[mask]}`;
    layer.svg.speak(`Step ${step + 1} of ${STEPS.length}, ${name}: ${formula}. ${says}`);
    rows.svg.speak(`Numbers, then mean and spread: ${listed(matrix, (x) => fixed(x, 2))}`);
    weights.svg.speak(`Weights, mask ${masks[mask]}: ${listed(shares, shown)}`);
  });
}

export default { render };
