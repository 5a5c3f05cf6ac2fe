// Lesson 5: drag the query; the scores, the weights and the output move with it.
import { dotProductScores, multiply, scaleScores, softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, svgNode, update } from "../kit/draw.js";
import { square } from "../kit/plane.js";
import { draggable, ghosts } from "../kit/drag.js";
import { setByNumbers } from "../kit/numbers.js";
import { makeSound } from "../kit/sound.js";

const SIZE = 260, EDGE = 0.7;

/** What one query gets: every number between it and the output, and the nearest corner. */
export function compute({ query }, { key, value, corners }) {
  const [scores] = dotProductScores([query], key);
  const scaled = scaleScores(scores, query.length), weights = softmax(scaled), [output] = multiply([weights], value);
  const fars = Object.entries(corners).map(([name, [x, y]]) => [name, Math.hypot(x - output[0], y - output[1])]);
  const [near, far] = fars.reduce((best, one) => (one[1] < best[1] - 1e-9 ? one : best));
  return { scores, scaled, weights, output, near, far };
}

/** Rows that share a place, by their names: [[place, "dog"], …]; three or more are "others". */
export function places(names, rows) {
  const found = new Map();
  rows.forEach((row, i) => found.set(`${row}`, [...(found.get(`${row}`) ?? []), i]));
  return [...found.values()].map((all) =>
    [rows[all[0]], all.length > 2 ? "others" : all.map((i) => names[i]).join(", ")]);
}

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
function makeQuestion({ data, state, put }) {
  const low = -4, high = 8, frame = square(low - EDGE, high + EDGE, { names: ["alive", "edible"], size: SIZE });
  const { svg, at, from } = frame;
  const asks = Object.entries(data.asking).filter(([, place]) => place.some((x) => x));
  for (const [name, place] of asks) {
    const right = place[0] > place[1];
    point(frame, place, name, "aw-asks", right ? [0, 21] : [10, 4], right ? "middle" : "start");
  }
  for (const [place, name] of places(data.names, data.key)) {
    if (!place.some((x) => x)) continue;
    const up = place[1] > place[0];
    point(frame, place, name, "aw-offers", up ? [-9, 4] : [2, 20], up ? "end" : "start");
  }
  const arrow = svgNode("path", { class: "aw-arrow aw-ask" });
  const tip = svgNode("circle", { r: 7, class: "aw-tip" });
  const hold = svgNode("circle", { r: 26, class: "aw-hold" });
  svg.append(arrow, tip, hold);
  const here = () => state().query;
  draggable(svg, hold, () => at(here()), (place) => put({ query: from(place) }),
    { name: "query", low, high, value: here, step: at([0.5, 0])[0] - at([0, 0])[0] });
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

/** A bar behind each row of the table of words. */
function makeBars(table, names) {
  const bars = names.map(() => htmlNode("span", { className: "aw-share" }));
  return (weights) => bars.forEach((bar, j) => {
    if (!bar.parentNode) table.cells[j + 1][0].parentNode.append(htmlNode("td", { className: "aw-bar-cell", ariaHidden: "true" }, bar));
    bar.style.width = `${(100 * weights[j]).toFixed(2)}%`;
  });
}

function draw(figure) {
  const { el, data: { names, value }, tables: [table] } = figure;
  const question = makeQuestion(figure), got = makeOutput(names, value), bars = makeBars(table, names);
  const asks = htmlNode("div", { className: "aw-heading aw-query" });
  const gets = htmlNode("div", { className: "aw-heading" });
  const part = (className, ...inside) => htmlNode("div", { className }, ...inside);
  el.append(part("aw-gesture", part("aw-left", asks, question.svg), part("aw-middle", table.node),
    part("aw-right", gets, got.svg)));
  return (now, { query }) => {
    question.set(query);
    bars(now.weights);
    got.set(now);
    asks.textContent = `query ${vector(query, 1)}`;
    gets.textContent = `output ${vector(now.output, 2)}`;
  };
}

export default live({ compute, draw, sound: makeSound, numbers: setByNumbers });
