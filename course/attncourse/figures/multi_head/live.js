// Lesson 6: drag the star; one row of weights stays in the triangle, two fill the square.
// With one head, nothing is shown yet of what two would do.
import { dot } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, svgNode, update } from "../kit/draw.js";
import { square, star } from "../kit/plane.js";
import { draggable, ghosts } from "../kit/drag.js";

const SIZE = 320, EDGE = 0.12;

const less = (a, b) => a.map((x, i) => x - b[i]);
const mixed = (weights, values) =>
  values[0].map((_, c) => dot(weights, values.map((value) => value[c])));
const apart = (a, b) => Math.hypot(...less(a, b));

/** Weights of the point between values i and j that is nearest to a place. */
function onEdge(values, wanted, i, j) {
  const along = less(values[j], values[i]);
  const share = dot(less(wanted, values[i]), along) / dot(along, along);
  const kept = Math.min(Math.max(share, 0), 1);
  return values.map((_, k) => (k === j ? kept : k === i ? 1 - kept : 0));
}

/** One head: the weights of the mixture of three values that is nearest to a place. */
function nearestMixture(values, wanted) {
  const [a, b, c] = values, [u, v, w] = [less(b, a), less(c, a), less(wanted, a)];
  const area = u[0] * v[1] - u[1] * v[0];
  const [s, t] = [(w[0] * v[1] - w[1] * v[0]) / area, (u[0] * w[1] - u[1] * w[0]) / area];
  const inside = [1 - s - t, s, t];
  if (Math.min(...inside) >= 0) return inside;
  const edges = [[0, 1], [1, 2], [2, 0]].map(([i, j]) => onEdge(values, wanted, i, j));
  const far = edges.map((weights) => apart(mixed(weights, values), wanted));
  return edges[far.indexOf(Math.min(...far))];
}

/** Two heads: a row of weights for each column, from its largest number and its smallest. */
function nearestOfTwo(values, wanted) {
  return wanted.map((number, c) => {
    const column = values.map((value) => value[c]);
    const high = column.indexOf(Math.max(...column)), low = column.lastIndexOf(Math.min(...column));
    const share = (number - column[low]) / (column[high] - column[low]);
    const kept = Math.min(Math.max(share, 0), 1);
    return column.map((_, j) => (j === high ? kept : j === low ? 1 - kept : 0));
  });
}

/** Every number of the figure, from what the controls say. */
export function compute({ star: wanted, heads }, { values, everyone }) {
  const one = nearestMixture(values, wanted), two = nearestOfTwo(values, wanted), n = 2 * heads - 1;
  const one_output = mixed(one, values), two_output = two.map((row, c) => mixed(row, values)[c]);
  const misses = [one_output, two_output].map((output) => apart(output, wanted));
  const rows = [[...one, misses[0]], ...two.map((row, c) => [...row, Math.abs(two_output[c] - wanted[c])])];
  return { one_output, two_output, misses, who: everyone.slice(0, n), rows: rows.slice(0, n), case: ["one", "two"][heads - 1] };
}

const vector = (numbers, digits = 2) => `(${numbers.map((x) => fixed(x, digits)).join(", ")})`;

/** The plane: the triangle, the square, what each of both reaches, and the star to drag. */
function makePlane({ data: { names, values, bounds: [low, high, step] }, start, state, put }) {
  const options = { names: ["alive", "edible"], size: SIZE };
  const { svg, at, from } = square(low - EDGE, high + EDGE, options);
  const columns = [0, 1].map((c) => values.map((value) => value[c]));
  const [[left, right], [foot, top]] = columns.map((c) => [Math.min(...c), Math.max(...c)]);
  const box = [[left, foot], [right, foot], [right, top], [left, top]].map(at).join(" ");
  const both = start.heads === 2;
  if (both) svg.append(svgNode("polygon", { class: "aw-box", points: box }));
  svg.append(svgNode("polygon", { class: "aw-hull", points: values.map(at).join(" ") }));
  values.forEach((value, j) => {
    const [cx, cy] = at(value), [x, y] = value;
    svg.append(svgNode("circle", { cx, cy, r: 5, class: "aw-corner" }));
    const place = { x: cx + (x ? 4 : -8), y: cy + (x || !y ? 19 : 4), class: "aw-of-value aw-small" };
    svg.append(svgNode("text", { ...place, "text-anchor": x ? "start" : "end" }, names[j]));
  });
  const [cornerX, cornerY] = at([right, top]);
  svg.append(svgNode("text", { x: cornerX + 5, y: cornerY - 5, class: "aw-tick" }, vector([right, top], 0)));
  const gap = svgNode("path", { class: "aw-gap" });
  const two = svgNode("circle", { r: 11, class: "aw-two" });
  const one = svgNode("circle", { r: 7, class: "aw-output" });
  const shape = svgNode("polygon", { class: "aw-star" });
  const hold = svgNode("circle", { r: 28, class: "aw-hold" });
  svg.append(gap, ...(both ? [two] : []), one, shape, hold);
  const here = () => state().star;
  draggable(svg, hold, () => at(here()), (place) => put({ star: from(place) }),
    { name: "star", low, high, value: here, step: at([step, 0])[0] - at([0, 0])[0] });
  const keep = ghosts();
  const set = (wanted, first, second) => {
    const [x, y] = at(wanted), [cx, cy] = at(first), [ax, ay] = at(second);
    if (one.hasAttribute("cx")) keep(one);
    update(shape, { points: star([x, y], 12) });
    update(hold, { cx: x, cy: y });
    update(one, { cx, cy });
    update(two, { cx: ax, cy: ay });
    update(gap, { d: `M${cx} ${cy}L${x} ${y}` });
  };
  return { svg, set };
}

function draw(figure) {
  const { el, start: { heads }, tables: [table], met } = figure, plane = makePlane(figure);
  const heading = htmlNode("div", { className: "aw-heading" });
  const key = htmlNode("p", { className: "aw-hint" },
    `Dot: as near as one head comes.${heads === 2 ? " Ring: as near as two come." : ""}`);
  table.node.classList.add("aw-reach");
  el.append(htmlNode("div", { className: "aw-columns aw-stars" }, plane.svg,
    htmlNode("div", {}, heading, table.node, key)));
  return ({ one_output, two_output }, { star: wanted }) => {
    plane.set(wanted, one_output, two_output);
    heading.textContent = `★ wanted ${vector(wanted)}`;
    met(apart(wanted, [1, 1]) < 0.04); // all of the dog, and all of the food
  };
}

export default live({ compute, draw });
