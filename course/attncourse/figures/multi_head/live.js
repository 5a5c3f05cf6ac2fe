// Lesson 6: drag the star; one row of weights stays in the triangle, two fill the square.
// With one head, nothing is shown yet of what two would do.
import { dot } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, svgNode, update } from "../kit/draw.js";
import { square, star } from "../kit/plane.js";
import { draggable, ghosts, retell, snap, write } from "../kit/drag.js";

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
export function nearestMixture(values, wanted) {
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
export function nearestOfTwo(values, wanted) {
  return wanted.map((number, c) => {
    const column = values.map((value) => value[c]);
    const high = column.indexOf(Math.max(...column)), low = column.lastIndexOf(Math.min(...column));
    const share = (number - column[low]) / (column[high] - column[low]);
    const kept = Math.min(Math.max(share, 0), 1);
    return column.map((_, j) => (j === high ? kept : j === low ? 1 - kept : 0));
  });
}

/** What both come to: weights, outputs, and how far each stays from the star. */
export function reach(values, wanted) {
  const one = nearestMixture(values, wanted), two = nearestOfTwo(values, wanted);
  const outputs = [mixed(one, values), two.map((row, c) => mixed(row, values)[c])];
  return { one, two, outputs, misses: outputs.map((output) => apart(output, wanted)) };
}

const vector = (numbers, digits = 2) => `(${numbers.map((x) => fixed(x, digits)).join(", ")})`;

/** The plane: the triangle, the square, what each of both reaches, and the star to drag. */
function makePlane(model) {
  const [low, high, step] = model.get("bounds"), values = model.get("values");
  const options = { names: ["alive", "edible"], size: SIZE };
  const { svg, at, from } = square(low - EDGE, high + EDGE, options);
  const columns = [0, 1].map((c) => values.map((value) => value[c]));
  const [[left, right], [foot, top]] = columns.map((c) => [Math.min(...c), Math.max(...c)]);
  const box = [[left, foot], [right, foot], [right, top], [left, top]].map(at).join(" ");
  const both = model.get("heads") === 2;
  if (both) svg.append(svgNode("polygon", { class: "aw-box", points: box }));
  svg.append(svgNode("polygon", { class: "aw-hull", points: values.map(at).join(" ") }));
  values.forEach((value, j) => {
    const [cx, cy] = at(value), [x, y] = value;
    svg.append(svgNode("circle", { cx, cy, r: 5, class: "aw-corner" }));
    const place = { x: cx + (x ? 4 : -8), y: cy + (x || !y ? 19 : 4), class: "aw-of-value aw-small" };
    svg.append(svgNode("text", { ...place, "text-anchor": x ? "start" : "end" }, model.get("names")[j]));
  });
  const [cornerX, cornerY] = at([right, top]);
  svg.append(svgNode("text", { x: cornerX + 5, y: cornerY - 5, class: "aw-tick" }, vector([right, top], 0)));
  const gap = svgNode("path", { class: "aw-gap" });
  const two = svgNode("circle", { r: 11, class: "aw-two" });
  const one = svgNode("circle", { r: 7, class: "aw-output" });
  const shape = svgNode("polygon", { class: "aw-star" });
  const hold = svgNode("circle", { r: 28, class: "aw-hold" });
  svg.append(gap, ...(both ? [two] : []), one, shape, hold);
  draggable(svg, hold, () => at([model.get("alive"), model.get("edible")]), (place) => {
    const [alive, edible] = from(place).map((x) => snap(x, low, high, step));
    write(model, { alive, edible });
  }, { name: "star", low, high, step: at([step, 0])[0] - at([0, 0])[0],
    value: () => [model.get("alive"), model.get("edible")] });
  const keep = ghosts();
  const set = (wanted, [first, second]) => {
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

/** A row for each row of weights, and how far from the star its head or heads stay. */
function makeTable(names, both) {
  const head = (text, scope = "col") => htmlNode("th", { scope, textContent: text });
  const gap = (rowSpan) => htmlNode("td", { className: "aw-misses", rowSpan });
  const misses = [gap(1), gap(2)];
  const line = (name, className, ...last) => {
    const cells = names.map(() => htmlNode("td"));
    const node = htmlNode("tr", { className }, head(name, "row"), ...cells, ...last);
    return { node, set: (row) => cells.forEach((cell, i) => retell(cell, fixed(row[i]))) };
  };
  const rows = [line("one head", "aw-first", misses[0])];
  if (both) rows.push(line("head 1, alive", "", misses[1]), line("head 2, edible", ""));
  const heads = ["weights", ...names, "misses"].map((text) => head(text));
  const table = htmlNode("table", { className: "aw-steps aw-reach" },
    htmlNode("thead", {}, htmlNode("tr", {}, ...heads)),
    htmlNode("tbody", {}, ...rows.map(({ node }) => node)));
  const set = ({ one, two, misses: far }) => {
    [one, ...two].slice(0, rows.length).forEach((row, i) => rows[i].set(row));
    misses.forEach((cell, i) => retell(cell, fixed(far[i])));
  };
  return { table, set };
}

/** Whether the star is where "ate" wants it: all of the dog, and all of the food. */
const isGoal = (wanted) => apart(wanted, [1, 1]) < 0.04;

/** What the figure says of a star where "ate" wants it, and of one that is elsewhere. */
export function verdict(wanted, { outputs, misses }, both) {
  const key = `Dot: as near as one head comes.${both ? " Ring: as near as two come." : ""}`;
  if (!isGoal(wanted)) return key;
  const stops = `The dot stops at ${vector(outputs[0])}, ${fixed(misses[0])} away`;
  return `${stops}${both ? "; the ring is there." : ": that is as near as one head comes."}`;
}

function render({ model, el }) {
  const names = model.get("names"), values = model.get("values");
  const both = model.get("heads") === 2;
  const plane = makePlane(model), { table, set } = makeTable(names, both);
  const heading = htmlNode("div", { className: "aw-heading" });
  const key = htmlNode("p", { className: "aw-hint" });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns aw-stars" }, plane.svg,
    htmlNode("div", {}, heading, table, key)));
  return redrawOn(model, ["alive", "edible"], () => {
    const wanted = [model.get("alive"), model.get("edible")], now = reach(values, wanted);
    plane.set(wanted, now.outputs);
    set(now);
    heading.textContent = `★ wanted ${vector(wanted)}`;
    retell(key, verdict(wanted, now, both));
    if (isGoal(wanted)) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true }));
    const told = ["One head comes", "Two heads come"].slice(0, both ? 2 : 1).map((who, i) =>
      ` ${who} to ${vector(now.outputs[i])}, ${fixed(now.misses[i])} away.`);
    plane.svg.speak(`Wanted: alive ${fixed(wanted[0])}, edible ${fixed(wanted[1])}.${told.join("")}`);
  });
}

export default { render };
