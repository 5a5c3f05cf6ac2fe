// Lesson 3: the same scores with and without the scale, side by side.
import { entropy, norm, scaleScores, softmax, softmaxJacobian } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const WIDTH = 320, HILL = 96, BARS = 120, GAP = 34;

/** Everything the figure shows for one column, from what the controls say. */
export function column(scores, spread, dK, scaled) {
  const used = scaled ? scaleScores(scores, dK) : scores;
  const weights = softmax(used);
  return {
    weights,
    spread: scaled ? spread / Math.sqrt(dK) : spread,
    top: Math.max(...weights),
    entropy: entropy(weights),
    gradient: norm(softmaxJacobian(weights)),
  };
}

/** An outline of a histogram as an SVG path; its highest bar fills the height. */
export function hill(counts, width, height) {
  const step = width / counts.length, most = Math.max(...counts);
  const tops = counts.map((c, i) => {
    const y = (height * (1 - c / most)).toFixed(1);
    return `L${(i * step).toFixed(1)} ${y}H${((i + 1) * step).toFixed(1)}`;
  });
  return `M0 ${height}${tops.join("")}L${width} ${height}Z`;
}

const ROWS = [
  ["spread", "Spread of the scores", (x) => fixed(x, 2)],
  ["top", "Largest weight", (x) => fixed(x, 3)],
  ["entropy", "Entropy, of 3 bits", (x) => fixed(x, 2)],
  ["gradient", "Size of the gradient", (x) => fixed(x, 4)],
];

/** One column: a hill of scores, a row of weights, a table of numbers. */
function makeColumn(heading, symbol, edges, n) {
  const svg = surface(WIDTH, HILL + GAP + BARS + 44);
  const spread = svgNode("path", { class: "aw-spread", transform: "translate(0 18)" });
  const base = HILL + 18;
  svg.append(svgNode("text", { x: 0, y: 12, class: "aw-small" }, symbol));
  svg.append(spread, svgNode("path", { class: "aw-axis", d: `M0 ${base}H${WIDTH}` }));
  for (const tick of [-40, -20, 0, 20, 40]) {
    const x = ((tick - edges[0]) / (edges.at(-1) - edges[0])) * WIDTH;
    const anchor = tick === -40 ? "start" : tick === 40 ? "end" : "middle";
    const attributes = { x, y: base + 14, "text-anchor": anchor, class: "aw-small" };
    svg.append(svgNode("text", attributes, fixed(tick, 0)));
  }
  const bars = makeBars(svg, n, base + GAP);
  const cells = Object.fromEntries(ROWS.map(([key]) => [key, htmlNode("td")]));
  const table = htmlNode("table", {}, htmlNode("tbody", {}, ...ROWS.map(([key, label]) =>
    htmlNode("tr", {}, htmlNode("th", { scope: "row", textContent: label }), cells[key]))));
  const title = htmlNode("div", { className: "aw-heading", textContent: heading });
  return { node: htmlNode("div", {}, title, svg, table), svg, spread, bars, cells };
}

/** A bar and a number for each key's weight. */
function makeBars(svg, n, top) {
  const step = WIDTH / n, foot = top + BARS;
  svg.append(svgNode("path", { class: "aw-axis", d: `M0 ${foot}H${WIDTH}` }));
  return Array.from({ length: n }, (_, j) => {
    const x = j * step, middle = x + step / 2;
    const bar = svgNode("rect", { class: "aw-bar", x: x + 4, width: step - 8 });
    const text = svgNode("text", { x: middle, "text-anchor": "middle", class: "aw-small" });
    const name = { x: middle, y: foot + 15, "text-anchor": "middle", class: "aw-small" };
    svg.append(bar, text, svgNode("text", name, `k${j + 1}`));
    return (weight) => {
      const height = weight * (BARS - 18);
      update(bar, { y: foot - height, height });
      update(text, { y: foot - height - 4 });
      text.textContent = fixed(weight, 2);
    };
  });
}

function render({ model, el }) {
  const sizes = model.get("sizes"), edges = model.get("edges");
  const n = model.get("scores")[0].length;
  const plain = makeColumn("Without the scale", "Scores q · k of 4,096 pairs", edges, n);
  const scaled = makeColumn("With the scale", "Scores q · k ÷ √d_k of the same pairs", edges, n);
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" }, plain.node, scaled.node));

  const show = (part, counts, values, dK) => {
    update(part.spread, { d: hill(counts, WIDTH, HILL) });
    part.bars.forEach((set, j) => set(values.weights[j]));
    for (const [key, , format] of ROWS) part.cells[key].textContent = format(values[key]);
    part.svg.dataset.weights = values.weights.join(" "); // in full, for tests to read
    part.svg.speak(`d_k ${dK}: scores spread by ${fixed(values.spread, 2)}; ` +
      `weights ${values.weights.map((w) => fixed(w, 2)).join(", ")}`);
  };
  return redrawOn(model, ["d_k", "word"], () => {
    const i = model.get("d_k"), dK = sizes[i], spread = model.get("spreads")[i];
    const row = model.get("scores")[i][model.get("word") - 1];
    show(plain, model.get("raw_counts")[i], column(row, spread, dK, false), dK);
    show(scaled, model.get("scaled_counts")[i], column(row, spread, dK, true), dK);
  });
}

export default { render };
