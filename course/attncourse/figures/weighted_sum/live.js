// Lesson 5: three values are mixed; the output cannot leave the line between them.
import { multiply } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, svgNode, update } from "../kit/draw.js";
import { square, star } from "../kit/plane.js";

const SIZE = 320;
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

const vector = (numbers, digits) => `[${numbers.map((x) => fixed(x, digits)).join(", ")}]`;

/** The values, a line from each to the output, the output as a dot, printed answers as stars. */
function makePlane(names, values, printed) {
  const { svg, at } = square(-1, 12, { ticks: [5, 10], size: SIZE });
  svg.append(svgNode("polygon", { class: "aw-hull aw-edge", points: values.map(at).join(" ") }));
  const lines = values.map(() => svgNode("path", { class: "aw-pull" }));
  const dot = svgNode("circle", { r: 7, class: "aw-output" });
  svg.append(...lines);
  values.forEach((value, j) => {
    const [cx, cy] = at(value);
    svg.append(svgNode("circle", { cx, cy, r: 5, class: "aw-corner" }));
    const place = { x: cx + 8, y: cy - 9, "text-anchor": value[1] ? "start" : "middle" };
    svg.append(svgNode("text", { ...place, class: "aw-of-value" }, names[j]));
  });
  printed.forEach((answer, i) => {
    const [x, y] = at(answer), place = { x: x - 22 + 8 * i, y: y + 3 + 20 * i, "text-anchor": "end" };
    svg.append(svgNode("polygon", { class: "aw-printed", points: star([x, y], 8) }));
    svg.append(svgNode("text", { ...place, class: "aw-small" }, `printed ${vector(answer, 1)}`));
  });
  svg.append(dot);
  const set = ({ weights, output }) => {
    const [cx, cy] = at(output);
    lines.forEach((line, j) => {
      const d = `M${at(values[j]).join(" ")}L${cx} ${cy}`;
      update(line, { d, "stroke-width": (1 + 9 * weights[j]).toFixed(2) });
    });
    update(dot, { cx, cy });
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
  const plane = makePlane(names, values, model.get("printed")), { table, set } = makeTable(names, values);
  const heading = htmlNode("div", { className: "aw-heading" });
  const note = htmlNode("p", { className: "aw-hint", textContent:
    "Each weight is a share of all parts. The output is the sum in the last column: its two numbers add up to 10." });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns aw-mixing" },
    plane.svg, htmlNode("div", {}, heading, table, note)));
  return redrawOn(model, TRAITS, () => {
    const now = mix(TRAITS.map((trait) => model.get(trait)), values);
    plane.set(now);
    set(now);
    heading.textContent = `output = ${vector(now.output, 2)}`;
    const weights = names.map((name, j) => `${name} ${fixed(now.weights[j], 3)}`).join(", ");
    plane.svg.speak(`Weights: ${weights}. Output: ${vector(now.output, 3)}, on the line between the values.`);
  });
}

export default { render };
