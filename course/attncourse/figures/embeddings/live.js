// Lesson 1: one word moves in the plane; its dot product and cosine with all follow.
import { cosine, dot, norm } from "../kit/maths.js";
import { arrow, fixed, htmlNode, plane, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const MOST = 2, EDGE = 2.4, SIZE = 320, BAR = 90;

/** The words as they stand now: all where they began, except the one that moves. */
export function standing(vectors, word, x, y) {
  return vectors.map((vector, i) => (i === word ? [x, y] : vector));
}

/** The point of the plane under a place in the drawing, to one decimal, kept inside. */
export function nearest(left, top, width) {
  const keep = (v) => Math.round(10 * Math.min(Math.max(v, -MOST), MOST)) / 10 + 0;
  return [keep((2 * left / width - 1) * EDGE), keep((1 - 2 * top / width) * EDGE)];
}

/** A row of the table: a name, two numbers, and the cosine as a bar from the middle. */
function makeRow(name) {
  const svg = surface(BAR, 16), bar = svgNode("rect", { y: 3, height: 10, class: "aw-cosine" });
  svg.removeAttribute("role");
  svg.setAttribute("aria-hidden", "true");
  svg.append(bar, svgNode("path", { class: "aw-axis", d: `M${BAR / 2} 0V16` }));
  const head = htmlNode("th", { scope: "row" }), product = htmlNode("td"), angle = htmlNode("td");
  const node = htmlNode("tr", {}, head, product, angle, htmlNode("td", {}, svg));
  const set = (vector, other, itself) => {
    const c = cosine(vector, other), long = (Math.abs(c) * BAR) / 2;
    head.textContent = itself ? "itself" : name;
    product.textContent = fixed(dot(vector, other));
    angle.textContent = fixed(c);
    update(bar, { x: c < 0 ? BAR / 2 - long : BAR / 2, width: long });
  };
  return { node, set };
}

function makeTable(names) {
  const rows = names.map(makeRow), cell = (text) => htmlNode("th", { scope: "col", textContent: text });
  const heads = [cell("with"), cell("dot product"), cell("cosine"), htmlNode("td")];
  const table = htmlNode("table", { className: "aw-compared" }, htmlNode("thead", {},
    htmlNode("tr", {}, ...heads)), htmlNode("tbody", {}, ...rows.map(({ node }) => node)));
  return { table, rows };
}

/** A word's arrow and the place around its tip where a pointer can take hold of it. */
function makeWord(frame, name) {
  const { node, set } = arrow(frame, name, "aw-word");
  const hold = svgNode("circle", { r: 20, class: "aw-hold" });
  node.append(hold);
  const place = (vector) => {
    const [cx, cy] = frame.at(vector);
    set(vector);
    update(hold, { cx, cy });
  };
  return { node, hold, place };
}

/** Let a pointer drag word i: it keeps its distance to the pointer, so it never jumps. */
function drag(model, svg, hold, i) {
  let grip = null;
  const under = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top, box.width];
  };
  hold.addEventListener("pointerdown", (event) => {
    if (model.get("word") !== i) model.set("word", i);
    const [left, top, width] = under(event), scale = width / (2 * EDGE);
    grip = [(model.get("x") + EDGE) * scale - left, (EDGE - model.get("y")) * scale - top];
    hold.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  hold.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [left, top, width] = under(event);
    const [x, y] = nearest(left + grip[0], top + grip[1], width);
    model.set({ x, y });
    model.save_changes();
  });
  for (const end of ["pointerup", "pointercancel"]) hold.addEventListener(end, () => { grip = null; });
}

function render({ model, el }) {
  const names = model.get("names"), vectors = model.get("vectors");
  const frame = plane(EDGE, SIZE), { table, rows } = makeTable(names);
  const right = svgNode("path", { class: "aw-right-angle" });
  frame.svg.append(right);
  const words = names.map((name) => makeWord(frame, name));
  words.forEach(({ hold }, i) => drag(model, frame.svg, hold, i));
  const heading = htmlNode("div", { className: "aw-heading" });
  const note = htmlNode("p", { className: "aw-hint" });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" }, frame.svg,
    htmlNode("div", {}, heading, table, note)));

  const goHome = () => {
    const [x, y] = vectors[model.get("word")];
    model.set({ x, y });
    model.save_changes();
  };
  const redraw = () => {
    const one = model.get("word"), me = [model.get("x"), model.get("y")];
    const now = standing(vectors, one, ...me), size = norm([me]);
    words.forEach(({ node, place }, i) => {
      place(now[i]);
      node.classList.toggle("aw-chosen", i === one);
    });
    rows.forEach(({ set }, i) => set(me, now[i], i === one));
    const edge = size ? EDGE / Math.max(...me.map(Math.abs)) : 0;
    const [x, y] = frame.at([-me[1] * edge, me[0] * edge]);
    update(right, { d: `M${x} ${y}L${SIZE - x} ${SIZE - y}` });
    const at = `(${fixed(me[0], 1)}, ${fixed(me[1], 1)})`;
    heading.textContent = `${names[one]} = ${at}, length ${fixed(size)}`;
    note.textContent = size ? `Words on the dashed line have dot product 0 with ${names[one]}.`
      : `${names[one]} has no direction now: all its dot products are 0, and its cosines count as 0.`;
    frame.svg.speak(`${names[one]} at ${at}. ` + names.map((name, i) =>
      `With ${name}: dot product ${fixed(dot(me, now[i]))}, cosine ${fixed(cosine(me, now[i]))}`).join(". "));
  };
  model.on("change:word", goHome);
  const stop = redrawOn(model, ["word", "x", "y"], redraw);
  return () => {
    model.off("change:word", goHome);
    stop();
  };
}

export default { render };
