// Lesson 5: three values, their weights, and the output that moves between them.
import { multiply } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const SIZE = 320, LOW = -0.35, HIGH = 2.55, UNIT = SIZE / (HIGH - LOW);
const TRAITS = ["parts_1", "parts_2", "parts_3"];

/** Weights from parts: each part's share of all. */
export function sharesOf(parts) {
  const all = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / all);
}

/** Every number of the figure: weights, each value times its weight, and their sum. */
export function mix(parts, values) {
  const weights = sharesOf(parts);
  const weighted = values.map((value, j) => value.map((v) => weights[j] * v));
  return { weights, weighted, output: multiply([weights], values)[0] };
}

const at = ([x, y]) => [(x - LOW) * UNIT, (HIGH - y) * UNIT];
const vector = (numbers, digits) => `[${numbers.map((x) => fixed(x, digits)).join(", ")}]`;

/** Axes with marks at whole numbers. */
function makeAxes(svg) {
  const [x0, y0] = at([0, 0]);
  svg.append(svgNode("path", { class: "aw-axis", d: `M0 ${y0}H${SIZE}M${x0} 0V${SIZE}` }));
  for (const mark of [1, 2]) {
    const [x, y] = at([mark, mark]), text = fixed(mark, 0);
    svg.append(svgNode("text", { x, y: y0 + 15, "text-anchor": "middle", class: "aw-tick" }, text));
    svg.append(svgNode("text", { x: x0 - 7, y: y + 4, "text-anchor": "end", class: "aw-tick" }, text));
  }
}

/** The values as corners, a line from each to the output, the output as a dot. */
function makePlane(names, values) {
  const svg = surface(SIZE, SIZE);
  makeAxes(svg);
  svg.append(svgNode("polygon", { class: "aw-hull", points: values.map(at).join(" ") }));
  const lines = values.map(() => svgNode("path", { class: "aw-pull" }));
  const dot = svgNode("circle", { r: 7, class: "aw-output" });
  const text = svgNode("text", { class: "aw-strong aw-halo", "text-anchor": "middle" }, "output");
  svg.append(...lines, ...values.map((value) => {
    const [cx, cy] = at(value);
    return svgNode("circle", { cx, cy, r: 5, class: "aw-corner" });
  }), dot, text);
  values.forEach((value, j) => {
    const [x, y] = at(value);
    svg.append(svgNode("text", { x: x + 6, y: y - 11, class: "aw-of-value" }, names[j]));
  });
  const set = ({ weights, output }) => {
    const [cx, cy] = at(output);
    lines.forEach((line, j) => {
      const d = `M${at(values[j]).join(" ")}L${cx} ${cy}`;
      update(line, { d, "stroke-width": (1 + 9 * weights[j]).toFixed(2) });
    });
    update(dot, { cx, cy });
    update(text, { x: cx, y: cy + 23 });
  };
  return { svg, set };
}

/** One row a value: its parts, weight, numbers, and the product; the sum below. */
function makeTable(names, values) {
  const head = (text) => htmlNode("th", { scope: "col", textContent: text });
  const line = (name) => {
    const cells = Array.from({ length: 3 }, () => htmlNode("td"));
    const node = htmlNode("tr", {}, htmlNode("th", { scope: "row", textContent: name }), ...cells);
    return { node, set: (...texts) => cells.forEach((cell, i) => { cell.textContent = texts[i]; }) };
  };
  const rows = names.map(line), sum = line("sum");
  sum.node.className = "aw-total";
  const heads = ["word", "weight", "value", "weight × value"].map(head);
  const table = htmlNode("table", { className: "aw-steps" },
    htmlNode("thead", {}, htmlNode("tr", {}, ...heads)),
    htmlNode("tbody", {}, ...rows.map(({ node }) => node), sum.node));
  const set = ({ weights, weighted, output }) => {
    rows.forEach((row, j) =>
      row.set(fixed(weights[j], 3), vector(values[j], 0), vector(weighted[j], 3)));
    sum.set(fixed(weights.reduce((total, w) => total + w, 0), 3), "", vector(output, 3));
  };
  return { table, set };
}

function render({ model, el }) {
  const names = model.get("names"), values = model.get("values");
  const plane = makePlane(names, values), { table, set } = makeTable(names, values);
  const heading = htmlNode("div", { className: "aw-heading" });
  const note = htmlNode("p", { className: "aw-hint", textContent:
    "Each weight is a share of all parts. The output is the sum in the last column." });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" },
    plane.svg, htmlNode("div", {}, heading, table, note)));
  return redrawOn(model, TRAITS, () => {
    const now = mix(TRAITS.map((trait) => model.get(trait)), values);
    plane.set(now);
    set(now);
    heading.textContent = `output = ${vector(now.output, 2)}`;
    const weights = names.map((name, j) => `${name} ${fixed(now.weights[j], 3)}`).join(", ");
    plane.svg.speak(`Weights: ${weights}. Output: ${vector(now.output, 3)}, inside the triangle.`);
  });
}

export default { render };
