// Lesson 5: drag the query; the scores, the weights and the output move with it.
import { dotProductScores, multiply, scaleScores, softmax } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, svgNode, update } from "../kit/draw.js";
import { square } from "../kit/plane.js";
import { compass, draggable, ghosts, retell, snap, write } from "../kit/drag.js";

const SIZE = 260, EDGE = 0.7;

/** What one query gets: every number between it and the output. */
export function answer(query, key, value) {
  const [scores] = dotProductScores([query], key);
  const scaled = scaleScores(scores, query.length), weights = softmax(scaled);
  return { scores, scaled, weights, output: multiply([weights], value)[0] };
}

/** Rows that share a place, by their names: [[place, "dog"], …]; three or more are "others". */
export function places(names, rows) {
  const found = new Map();
  rows.forEach((row, i) => found.set(`${row}`, [...(found.get(`${row}`) ?? []), i]));
  return [...found.values()].map((all) =>
    [rows[all[0]], all.length > 2 ? "others" : all.map((i) => names[i]).join(", ")]);
}

/** Which of some places is nearest: "dog: 0.68 right, 0.08 up, 0.33 from it". */
export function nearest(corners, point) {
  const far = ([x, y]) => Math.hypot(x - point[0], y - point[1]);
  const [place, name] = corners.reduce((best, one) => (far(one[0]) < far(best[0]) ? one : best));
  return `${name}: ${compass(point)}, ${fixed(far(place))} from it`;
}

const listed = (corners) => corners.map(([place, name]) => `${name.replace(", ", " and ")} ${compass(place, 0)}`).join("; ");
const vector = (numbers, digits) => `(${numbers.map((x) => fixed(x, digits)).join(", ")})`;

/** A dot with a name beside it. */
function point({ svg, at }, place, name, className, [dx, dy], anchor = "start") {
  const [x, y] = at(place);
  const ring = className === "aw-of-value"; // the output may stand in it, and both are seen
  svg.append(svgNode("circle", { cx: x, cy: y, r: ring ? 11 : 5, class: `aw-dot ${className}${ring ? " aw-ring" : ""}` }));
  const text = { x: x + dx, y: y + dy, "text-anchor": anchor, class: className };
  svg.append(svgNode("text", text, name));
}

/** Where the query is dragged: the keys, the places words ask from, the arrow. */
function makeQuestion(model, [low, high, step]) {
  const frame = square(low - EDGE, high + EDGE, { names: ["alive", "edible"], size: SIZE });
  const { svg, at, from } = frame;
  const asks = Object.entries(model.get("asking")).filter(([, place]) => place.some((x) => x));
  for (const [name, place] of asks) {
    const right = place[0] > place[1];
    point(frame, place, name, "aw-asks", right ? [0, 21] : [10, 4], right ? "middle" : "start");
  }
  for (const [place, name] of places(model.get("names"), model.get("key"))) {
    if (!place.some((x) => x)) continue;
    const up = place[1] > place[0];
    point(frame, place, name, "aw-offers", up ? [-9, 4] : [2, 20], up ? "end" : "start");
  }
  const arrow = svgNode("path", { class: "aw-arrow aw-ask" });
  const tip = svgNode("circle", { r: 7, class: "aw-tip" });
  const hold = svgNode("circle", { r: 26, class: "aw-hold" });
  svg.append(arrow, tip, hold);
  const here = () => [model.get("alive"), model.get("edible")];
  draggable(svg, hold, () => at(here()), (place) => {
    const [alive, edible] = from(place).map((x) => snap(x, low, high, step));
    write(model, { alive, edible });
  }, { name: "query", low, high, value: here, step: at([step, 0])[0] - at([0, 0])[0] });
  const keep = ghosts();
  const set = (query) => {
    const [cx, cy] = at(query), [x, y] = at([0, 0]);
    if (tip.hasAttribute("cx")) keep(tip);
    update(arrow, { d: `M${x} ${y}L${cx} ${cy}` });
    update(tip, { cx, cy });
    update(hold, { cx, cy });
  };
  return { svg, set };
}

/** What comes home: the values, the triangle between them, and the output in it. */
function makeOutput(names, value) {
  const frame = square(-0.22, 1.22, { names: ["", "edible"], size: SIZE });
  const { svg, at } = frame, corners = places(names, value), [, axis] = at([0, 0]);
  const clear = { x: SIZE, y: axis - 17, "text-anchor": "end", class: "aw-tick" }; // of the dog's ring
  svg.append(svgNode("text", clear, "alive"));
  svg.append(svgNode("polygon", { class: "aw-hull", points: corners.map(([p]) => at(p)).join(" ") }));
  const pulls = corners.map(() => svgNode("path", { class: "aw-pull" }));
  svg.append(...pulls);
  for (const [place, name] of corners) {
    const [x, y] = place;
    point(frame, place, name, "aw-of-value", [x ? 0 : 16, y ? 5 : 27], x ? "middle" : "start");
  }
  const output = svgNode("circle", { r: 8, class: "aw-output" });
  svg.append(output);
  const keep = ghosts();
  const set = (now) => {
    const [cx, cy] = at(now.output);
    if (output.hasAttribute("cx")) keep(output);
    corners.forEach(([place], c) => {
      const all = value.flatMap((row, i) => (`${row}` === `${place}` ? [now.weights[i]] : []));
      const share = all.reduce((sum, weight) => sum + weight, 0);
      const d = `M${at(place).join(" ")}L${cx} ${cy}`;
      update(pulls[c], { d, "stroke-width": (1 + 9 * share).toFixed(2) });
    });
    update(output, { cx, cy });
  };
  return { svg, set };
}

/** A row for each word: its score, the same scaled, its weight as a number and a bar. */
function makeTable(names) {
  const head = (text, scope = "col") => htmlNode("th", { scope, textContent: text });
  const rows = names.map((name) => {
    const cells = Array.from({ length: 3 }, () => htmlNode("td"));
    const bar = htmlNode("span", { className: "aw-share" });
    const node = htmlNode("tr", {}, head(name, "row"), ...cells,
      htmlNode("td", { className: "aw-bar-cell" }, bar));
    return { node, cells, bar };
  });
  const heads = [htmlNode("td"), ...["score", "÷ √2", "weight"].map((text) => head(text))];
  const table = htmlNode("table", { className: "aw-steps" },
    htmlNode("thead", {}, htmlNode("tr", {}, ...heads, htmlNode("td"))),
    htmlNode("tbody", {}, ...rows.map(({ node }) => node)));
  const set = ({ scores, scaled, weights }) => rows.forEach(({ cells, bar }, j) => {
    retell(cells[0], fixed(scores[j], 1));
    retell(cells[1], fixed(scaled[j], 2));
    retell(cells[2], fixed(weights[j], 3));
    bar.style.width = `${(100 * weights[j]).toFixed(2)}%`;
  });
  return { table, set };
}

function render({ model, el }) {
  const names = model.get("names"), key = model.get("key"), value = model.get("value");
  const question = makeQuestion(model, model.get("bounds"));
  const got = makeOutput(names, value), { table, set } = makeTable(names);
  const asks = htmlNode("div", { className: "aw-heading aw-query" });
  const gets = htmlNode("div", { className: "aw-heading" });
  const part = (className, ...inside) => htmlNode("div", { className }, ...inside);
  const corners = places(names, value);
  el.classList.add("aw-view");
  el.append(part("aw-gesture", part("aw-left", asks, question.svg), part("aw-middle", table),
    part("aw-right", gets, got.svg)));
  return redrawOn(model, ["alive", "edible"], () => {
    const query = [model.get("alive"), model.get("edible")], now = answer(query, key, value);
    question.set(query);
    set(now);
    got.set(now);
    asks.textContent = `query ${vector(query, 1)}`;
    gets.textContent = `output ${vector(now.output, 2)}`;
    const weights = names.map((name, j) => `${name} ${fixed(now.weights[j], 3)}`).join(", ");
    got.svg.speak(`Output near ${nearest(corners, now.output)}, inside the triangle of ${listed(corners)}. Weights: ${weights}.`);
    question.svg.speak(`Query: alive ${fixed(query[0], 1)}, edible ${fixed(query[1], 1)}. Alive is right, edible is up. Keys: ${listed(places(names, key))}.`);
    got.svg.dataset.output = now.output.join(" "); // in full, for tests to read
  });
}

export default { render };
