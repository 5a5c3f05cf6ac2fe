// Lesson 8: the row of "it" as two arrows, one layer after another.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { glide } from "../kit/drag.js";
import { htmlNode, svgNode, update } from "../kit/draw.js";
import { arrow, square } from "../kit/plane.js";

const SIZE = 190, GLIDE = 500; // pixels; milliseconds from one step to the next

export function compute({ adjective, after }, { ways }) {
  const rows = ways[adjective];
  return { rows, says: rows[after].slice(0, 2), found: rows[after].slice(2) };
}

/** A plane with its two names, targets, an arrow, and dots where its tip has been. */
function makePlane(title, [across, up], targets = []) {
  const made = square(-0.35, 1.35, { ticks: [1], names: ["", up], size: SIZE }), { svg, at } = made;
  const write = ([x, y], text, look = {}) => svg.append(svgNode("text", { x, y, class: "aw-tick", ...look }, text));
  const [right, foot] = [SIZE, at([0, 0])[1] + 31];
  write([right, foot], across, { "text-anchor": "end" });
  for (const target of targets) {
    const [cx, cy] = at(target);
    svg.append(svgNode("circle", { cx, cy, r: 4.5, class: "aw-noun" }));
  }
  const past = svgNode("path", { class: "aw-past" }), it = arrow(made, "it", "aw-it");
  svg.append(past);
  const set = (tips) => {
    const dots = tips.map((tip) => at(tip).map((x) => x.toFixed(1)).join(" "));
    update(past, { d: dots.map((dot) => `M${dot}h0`).join("") });
  };
  return { node: htmlNode("div", {}, htmlNode("div", { className: "aw-heading", textContent: title }), svg), set, move: it.set };
}

/** Move from one list of numbers to the next, drawn on the way, or at once. */
function glider(show) {
  let now, stop;
  return (to) => {
    stop?.();
    const from = now ?? to;
    stop = glide((share) => {
      now = to.map((x, k) => from[k] + (x - from[k]) * share);
      show(now);
    }, GLIDE);
  };
}

function draw({ el, data: { columns, titles } }) {
  const says = makePlane(titles[0], columns.slice(0, 2));
  const found = makePlane(titles[1], columns.slice(2), [[1, 0], [0, 1]]);
  el.append(htmlNode("div", { className: "aw-ways" }, says.node, found.node));
  const glide = glider((row) => { says.move(row.slice(0, 2)); found.move(row.slice(2)); });
  return ({ rows }, { after }) => {
    const been = rows.slice(0, after + 1);
    says.set(been.map((row) => row.slice(0, 2)));
    found.set(been.map((row) => row.slice(2)));
    glide(rows[after]);
  };
}

export const goal = ({ rows }, { after }) => after === rows.length - 1;

export default live({ compute, draw, task: challenge(goal) });
