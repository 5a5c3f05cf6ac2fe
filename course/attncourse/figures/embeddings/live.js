// Lesson 1: one word moves in the plane; its dot product and cosine with all follow.
import { cosine, dot, norm } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { arrow, plane } from "../kit/plane.js";
import { draggable, ghosts, retell, snap, write } from "../kit/drag.js";
import { tellOf } from "../kit/voice.js";

const MOST = 2, EDGE = 2.4, SIZE = 300, BAR = 64;

/** The words as they stand now: all where they began, except the one that moves. */
export function standing(vectors, word, x, y) {
  return vectors.map((vector, i) => (i === word ? [x, y] : vector));
}

/** How far along a the other vector b reaches; below 0 if it points away from a. */
export function shadow(a, b) {
  const size = norm([a]);
  return size > 0 ? dot(a, b) / size : 0;
}

/** The point of a's line where b's shadow ends. */
export function foot(a, b) {
  const size = norm([a]), long = shadow(a, b);
  return a.map((x) => (size > 0 ? (long * x) / size : 0) + 0);
}

/** A row of the table: a name, two numbers, and the cosine as a bar from the middle. */
function makeRow(name) {
  const svg = surface(BAR, 16), bar = svgNode("rect", { y: 3, height: 10, class: "aw-cosine" });
  svg.removeAttribute("role");
  svg.setAttribute("aria-hidden", "true");
  svg.append(bar, svgNode("path", { class: "aw-axis", d: `M${BAR / 2} 0V16` }));
  const head = htmlNode("th", { scope: "row" }), product = htmlNode("td"), angle = htmlNode("td");
  const node = htmlNode("tr", {}, head, product, angle, htmlNode("td", {}, svg));
  const set = (vector, now, itself, laid, covered) => {
    const c = cosine(vector, now), long = covered ? 0 : (Math.abs(c) * BAR) / 2;
    head.textContent = itself ? "itself" : name;
    retell(product, covered ? "?" : fixed(dot(vector, now)));
    retell(angle, covered ? "?" : fixed(c));
    node.classList.toggle("aw-laid", laid);
    update(bar, { x: c < 0 ? BAR / 2 - long : BAR / 2, width: long });
  };
  return { node, set };
}

function makeTable(names) {
  const rows = names.map(makeRow), cell = (text) => htmlNode("th", { scope: "col", textContent: text });
  const heads = ["with", "dot product", "cosine", "−1 … 1"].map(cell);
  const table = htmlNode("table", { className: "aw-compared" }, htmlNode("thead", {},
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

function render({ model, el }) {
  const names = model.get("names"), vectors = model.get("vectors");
  const frame = plane(EDGE, SIZE), { table, rows } = makeTable(names);
  const corner = { x: SIZE - 4, y: SIZE / 2 + 28, "text-anchor": "end", class: "aw-tick" };
  frame.svg.append(svgNode("text", corner, "alive →"),
    svgNode("text", { x: SIZE / 2 - 6, y: 11, "text-anchor": "end", class: "aw-tick" }, "edible ↑"));
  const cast = makeShadow(frame), words = names.map((name) => makeWord(frame, name));
  const rule = htmlNode("p", { className: "aw-rule" }), ghost = ghosts();
  el.classList.add("aw-view", "aw-plane-of-words");
  el.append(htmlNode("div", { className: "aw-columns" }, frame.svg, htmlNode("div", {}, rule, table)));

  const choose = (i) => {
    const before = model.get("word");
    if (before === i) return;
    if (model.get("other") === null) return write(model, { other: i }); // a guess
    write(model, model.get("other") === i ? { other: before, word: i } : { word: i });
  };
  words.forEach(({ hold, node }, i) => draggable(frame.svg, hold, () => {
    choose(i);
    ghost(node);
    return frame.at([model.get("x"), model.get("y")]);
  }, ([left, top]) => write(model, {
    x: snap((left - SIZE / 2) / frame.unit, -MOST, MOST, 0.1),
    y: snap((SIZE / 2 - top) / frame.unit, -MOST, MOST, 0.1),
  }), { name: names[i], low: -MOST, high: MOST, step: 0.1 * frame.unit,
    value: () => (i === model.get("word") ? [model.get("x"), model.get("y")] : vectors[i]),
    free: () => model.get("other") !== null || i === model.get("word") })); // Enter guesses

  let guessing = model.get("other") === null;
  const goHome = () => {
    const [x, y] = vectors[model.get("word")];
    write(model, { x, y });
  };
  const redraw = () => {
    const one = model.get("word"), other = model.get("other"), me = [model.get("x"), model.get("y")];
    const now = standing(vectors, one, ...me), size = norm([me]), covered = other === null;
    words.forEach(({ node, place }, i) => {
      place(now[i]);
      node.classList.toggle("aw-chosen", i === one);
      node.classList.toggle("aw-laid", i === other);
    });
    rows.forEach(({ set }, i) => set(me, now[i], i === one, i === other, covered));
    cast(me, covered ? null : now[other]);
    const at = `(${fixed(me[0], 1)}, ${fixed(me[1], 1)})`;
    if (covered) {
      retell(rule, `Which word is most like “${names[one]}”? Tap it, or press Enter on it.`);
      tellOf(rule);
      frame.svg.speak(`${names[one]} at ${at}. The numbers are covered until you choose a word.`);
      return;
    }
    if (guessing) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true }));
    guessing = false;
    const product = fixed(dot(me, now[other])), long = shadow(me, now[other]);
    retell(rule, size ? `${names[one]} · ${names[other]} = length of ${names[one]} ${fixed(size)} × shadow ${fixed(long)} = ${product}`
      : `${names[one]} has length 0 and no direction: all its dot products are 0.`);
    tellOf(rule);
    frame.svg.speak(`${names[one]} at ${at}, length ${fixed(size)}. ` + names.map((name, i) =>
      `With ${name}: dot product ${fixed(dot(me, now[i]))}, cosine ${fixed(cosine(me, now[i]))}`).join(". "));
  };
  model.on("change:word", goHome);
  const stop = redrawOn(model, ["word", "other", "x", "y"], redraw);
  return () => {
    model.off("change:word", goHome);
    stop();
  };
}

export default { render };
