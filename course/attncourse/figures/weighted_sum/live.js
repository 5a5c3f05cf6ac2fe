// Lesson 5: three values are mixed; the output cannot leave the line between them.
import { multiply } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { htmlNode, svgNode, update } from "../kit/draw.js";
import { square, star } from "../kit/plane.js";
import { show } from "../kit/read.js";
import { makeSound } from "../kit/sound.js";

const SIZE = 320;

/** Every number of the figure: weights, each value times its weight, and their sum. */
export function compute({ parts }, { values }) {
  const all = parts.reduce((sum, part) => sum + part, 0), weights = parts.map((part) => part / all);
  const weighted = values.map((value, j) => value.map((v) => weights[j] * v)), [output] = multiply([weights], values);
  return { weights, weighted, output, shares: [...weights, 1], held: [...values, ""], products: [...weighted, output] };
}

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
    const place = value[1] ? { x: cx + 8, y: cy - 9 } : { x: cx - 22, y: cy - 4, "text-anchor": "end" };  // clear of the line
    svg.append(svgNode("text", { ...place, class: "aw-of-value" }, names[j]));
  });
  printed.forEach((answer, i) => {
    const [x, y] = at(answer), place = { x: x - 22 + 8 * i, y: y + 3 + 20 * i, "text-anchor": "end" };
    svg.append(svgNode("polygon", { class: "aw-printed", points: star([x, y], 8) }));
    svg.append(svgNode("text", { ...place, class: "aw-small" }, `printed ${show(answer, "[.1f")}`));
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

function draw({ el, data: { names, values, printed }, tables: [table] }) {
  const plane = makePlane(names, values, printed), heading = htmlNode("div", { className: "aw-heading" });
  const note = htmlNode("p", { className: "aw-hint", textContent:
    "Each weight is a share of all parts. The output is the sum in the last column: its two numbers add up to 10." });
  el.append(htmlNode("div", { className: "aw-columns aw-mixing" },
    plane.svg, htmlNode("div", {}, heading, table.node, note)));
  return (now) => {
    plane.set(now);
    heading.textContent = `output = ${show(now.output, "[.2f")}`;
  };
}

export default live({ compute, draw, sound: makeSound });
