// Lesson 1: one word moves in the plane; its dot product and cosine with all follow.
import { cosine, dot, norm } from "../kit/maths.js";
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { arrow, plane } from "../kit/plane.js";
import { draggable, ghosts, retell } from "../kit/drag.js";
import { setByNumbers } from "../kit/numbers.js";

const MOST = 2, EDGE = 2.4, SIZE = 300, BAR = 64;

/** How far along a the other vector b reaches; below 0 if it points away from a. */
function shadow(a, b) {
  const size = norm([a]);
  return size > 0 ? dot(a, b) / size : 0;
}

/** The point of a's line where b's shadow ends. */
export function foot(a, b) {
  const size = norm([a]), long = shadow(a, b);
  return a.map((x) => (size > 0 ? (long * x) / size : 0) + 0);
}

/** The words as they stand now: all where they began, except the one that moves. */
const standing = (vectors, one, at) => vectors.map((vector, i) => (i === one ? at : vector));

/** Every number of the figure, from what the controls say. */
export function compute({ word, other, at }, { names, vectors }) {
  const now = standing(vectors, names.indexOf(word), at), length = norm([at]), i = names.indexOf(other);
  const products = now.map((vector) => dot(at, vector)), angles = now.map((vector) => cosine(vector, at));
  const covered = other === null, table = now.map((vector, j) => [...vector, ...(covered ? [null, null] : [products[j], angles[j]])]);
  const rest = covered ? { product: null, angle: null, shadow: null } : { product: products[i], angle: angles[i], shadow: shadow(at, now[i]) };
  return { dot: products, cosine: angles, length, ...rest, table, case: covered ? "covered" : length ? "laid" : "zero" };
}

/** A row of the table: a name, two numbers, and the cosine as a bar from the middle. */
function makeRow(name) {
  const svg = surface(BAR, 16), bar = svgNode("rect", { y: 3, height: 10, class: "aw-cosine" });
  svg.removeAttribute("role");
  svg.setAttribute("aria-hidden", "true");
  svg.append(bar, svgNode("path", { class: "aw-axis", d: `M${BAR / 2} 0V16` }));
  const head = htmlNode("th", { scope: "row" }), product = htmlNode("td"), angle = htmlNode("td");
  const node = htmlNode("tr", {}, head, product, angle, htmlNode("td", {}, svg));
  const set = ([times, cos], c, itself, laid) => {
    const long = cos === "?" ? 0 : (Math.abs(c) * BAR) / 2;
    head.textContent = itself ? "itself" : name;
    retell(product, times);
    retell(angle, cos);
    node.classList.toggle("aw-laid", laid);
    update(bar, { x: c < 0 ? BAR / 2 - long : BAR / 2, width: long });
  };
  return { node, set };
}

function makeCompared(names) {
  const rows = names.map(makeRow), cell = (text) => htmlNode("th", { scope: "col", textContent: text });
  const heads = ["with", "dot product", "cosine", "−1 … 1"].map(cell);
  const table = htmlNode("table", { className: "aw-compared", ariaLabel: "Compared with each word" }, htmlNode("thead", {},
    htmlNode("tr", {}, ...heads)), htmlNode("tbody", {}, ...rows.map(({ node }) => node)));
  return { table, rows };
}

/** A word's arrow and the place around its tip where a pointer can take hold of it. */
function makeWord(frame, name) {
  const { node, set } = arrow(frame, name, "aw-word");
  const hold = svgNode("circle", { r: 19 });
  node.append(hold);
  const place = (vector) => {
    const [cx, cy] = frame.at(vector);
    set(vector);
    update(hold, { cx, cy });
  };
  return { node, hold, place };
}

/** The other word's shadow on the line of the one that moves. */
function makeShadow(frame) {
  const [line, fall, cast] = ["aw-right-angle", "aw-fall", "aw-shadow"]
    .map((name) => svgNode("path", { class: name }));
  frame.svg.append(line, fall, cast);
  return (me, other) => {
    for (const path of [line, fall, cast]) path.style.display = other ? "" : "none";
    if (!other) return;
    const [ox, oy] = frame.at([0, 0]), [fx, fy] = frame.at(foot(me, other)), [x, y] = frame.at(other);
    const edge = norm([me]) ? EDGE / Math.max(...me.map(Math.abs)) : 0;
    const [ex, ey] = frame.at(me.map((v) => v * edge));
    update(line, { d: `M${ex} ${ey}L${SIZE - ex} ${SIZE - ey}` });
    update(fall, { d: `M${x} ${y}L${fx} ${fy}` });
    update(cast, { d: `M${ox} ${oy}L${fx} ${fy}` });
  };
}

function draw({ el, data: { names, vectors }, state, put }) {
  const frame = plane(EDGE, SIZE), { table, rows } = makeCompared(names);
  const corner = { x: SIZE - 4, y: SIZE / 2 + 28, "text-anchor": "end", class: "aw-tick" };
  frame.svg.append(svgNode("text", corner, "alive →"),
    svgNode("text", { x: SIZE / 2 - 6, y: 11, "text-anchor": "end", class: "aw-tick" }, "edible ↑"));
  const cast = makeShadow(frame), words = names.map((name) => makeWord(frame, name));
  const rule = htmlNode("p", { className: "aw-rule" }), ghost = ghosts();
  el.classList.add("aw-plane-of-words");
  el.append(htmlNode("div", { className: "aw-columns" }, frame.svg, htmlNode("div", {}, rule, table)));

  const choose = (name) => {
    const { word, other } = state();
    if (word === name) return;
    if (other === null) return put({ other: name }); // a guess
    put(other === name ? { other: word, word: name } : { word: name });
  };
  words.forEach(({ hold, node }, i) => draggable(frame.svg, hold, () => {
    choose(names[i]);
    ghost(node);
    return frame.at(state().at);
  }, ([left, top]) => put({ at: [(left - SIZE / 2) / frame.unit, (SIZE / 2 - top) / frame.unit] }),
  { name: names[i], low: -MOST, high: MOST, step: 0.1 * frame.unit,
    value: () => (names[i] === state().word ? state().at : vectors[i]),
    free: () => state().other !== null || names[i] === state().word })); // Enter guesses

  return (now, { word, other, at }, { tables: [{ cells }] }) => {
    const one = names.indexOf(word), stand = standing(vectors, one, at), laid = names.indexOf(other);
    words.forEach(({ node, place }, i) => {
      place(stand[i]);
      node.classList.toggle("aw-chosen", i === one);
      node.classList.toggle("aw-laid", i === laid);
    });
    rows.forEach(({ set }, i) => set(cells[i].slice(2), now.cosine[i], i === one, i === laid));
    cast(at, stand[laid]);
    retell(rule, now.case === "covered" ? `Which word is most like “${word}”? Tap it, or press Enter on it.`
      : now.case === "zero" ? `${word} has length 0 and no direction: all its dot products are 0.`
        : `${word} · ${other} = length of ${word} ${fixed(now.length)} × shadow ${fixed(now.shadow)} = ${fixed(now.product)}`);
  };
}

/** A word that is chosen stands at its own place. */
const follow = ({ word }, was, _, { names, vectors }) => (word === was.word ? {} : { at: vectors[names.indexOf(word)] });

export const goal = (_, { other }) => other !== null;

export default live({ compute, draw, follow, numbers: setByNumbers, task: challenge(goal, { isGuess: true }) });
