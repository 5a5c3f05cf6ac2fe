// Lesson 7: encodings as clock hands and waves, their dot products, words in any order.
import { attentionWeights, dot, multiply, norm, positionalEncoding } from "../kit/maths.js";
import { fixed, heatmap, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const WIDTH = 320, TOP = 16, ROW = 52, DIAL = 19, FROM = 50, TO = 236, FAR = 32, CHART = 132;

/** Weights and output of self-attention for the rows of x. */
export function attend(x, { wQuery, wKey, wValue }) {
  const weights = attentionWeights(multiply(x, wQuery), multiply(x, wKey));
  return { weights, output: multiply(weights, multiply(x, wValue)) };
}

/** The words in an order, each with the encoding of its place added if there is one. */
export function placed(x, order, encodings) {
  return order.map((i, place) =>
    x[i].map((v, j) => v + (encodings ? encodings[place][j] : 0)));
}

/** A line through the places f(0), f(¼), … f(n). */
function line(n, f) {
  const points = Array.from({ length: 4 * n + 1 }, (_, i) => f(i / 4));
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

function note(svg, x, y, text, anchor = "middle") {
  svg.append(svgNode("text", { x, y, "text-anchor": anchor, class: "aw-tick" }, text));
}

function spotsOn(svg, length, r) {
  const spots = Array.from({ length }, () => svgNode("circle", { r, class: "aw-spot" }));
  svg.append(...spots);
  return spots;
}

/** A clock hand and its two numbers, the sine and the cosine of one angle. */
function makeHand(svg, middle) {
  const hand = svgNode("path", { class: "aw-hand" });
  svg.append(svgNode("circle", { cx: DIAL + 2, cy: middle, r: DIAL, class: "aw-axis" }), hand);
  const texts = [middle - 3, middle + 13].map((y) =>
    svgNode("text", { x: WIDTH, y, "text-anchor": "end" }));
  svg.append(...texts);
  return (tip) => {
    const [x, y] = tip.map((v) => (v * (DIAL - 2)).toFixed(2));
    update(hand, { d: `M${DIAL + 2} ${middle}l${x} ${-y}` });
    texts.forEach((text, i) => {
      text.textContent = `${["sin", "cos"][i]} ${fixed(tip[i], 3)}`;
    });
  };
}

/** One pair of columns: a hand, and two waves along the positions with the words on one. */
function makePair(svg, pair, nShown, nWords) {
  const middle = TOP + pair * ROW + DIAL, columns = [2 * pair, 2 * pair + 1];
  const setHand = makeHand(svg, middle);
  const at = (p, height) => [FROM + (p / (nShown - 1)) * (TO - FROM), middle - 18 * height];
  const waves = ["aw-wave", "aw-wave aw-second"].map((name) => svgNode("path", { class: name }));
  svg.append(...waves);
  const spots = spotsOn(svg, nWords, 3);
  const draw = (quarters) => waves.forEach((wave, i) =>
    update(wave, { d: line(nShown - 1, (p) => at(p, quarters[4 * p][columns[i]])) }));
  const mark = (position, encodings) => {
    setHand(columns.map((j) => encodings[0][j]));
    spots.forEach((spot, i) => {
      const [cx, cy] = at(position + i, encodings[i][columns[0]]);
      update(spot, { cx, cy });
    });
  };
  return { draw, mark };
}

function makeWaves(dModel, nShown, nWords) {
  const foot = TOP + (dModel / 2) * ROW, svg = surface(WIDTH, foot + 14);
  const pairs = Array.from({ length: dModel / 2 }, (_, i) => makePair(svg, i, nShown, nWords));
  for (const tick of [0, 20, 40, 60]) {
    note(svg, FROM + (tick / (nShown - 1)) * (TO - FROM), foot + 10, tick);
  }
  note(svg, FROM, 9, "sine, dotted: cosine", "start");
  note(svg, WIDTH, foot + 10, "position", "end");
  return { svg, pairs };
}

/** The dot products of one position with its neighbours, by offset. */
function makeDots(dModel) {
  const svg = surface(WIDTH, CHART + 26), wide = (WIDTH / 2 - 4) / FAR, high = CHART / dModel;
  const at = (k, v) => [WIDTH / 2 + k * wide, CHART / 2 + 8 - v * high];
  const [left, zero] = at(-FAR, 0), path = svgNode("path", { class: "aw-wave" });
  svg.append(svgNode("path", { class: "aw-axis", d: `M${left} ${zero}H${WIDTH - left}` }), path);
  for (let k = -30; k <= 30; k += 10) note(svg, at(k, 0)[0], CHART + 22, fixed(k, 0));
  note(svg, left, zero - 6, "offset", "start");
  const spots = spotsOn(svg, 2 * FAR + 1, 2.2);
  const set = (position, base) => {
    const own = positionalEncoding(position, dModel, base), first = Math.max(-FAR, -position);
    const product = (k) => dot(own, positionalEncoding(position + k, dModel, base));
    update(path, { d: line(FAR - first, (k) => at(first + k, product(first + k))) });
    spots.forEach((spot, i) => {
      const there = i - FAR >= first, [cx, cy] = at(i - FAR, there ? product(i - FAR) : 0);
      update(spot, { cx, cy, visibility: there ? "visible" : "hidden" });
    });
    return [0, 1, 2, 3].map((k) => fixed(product(k), 3)).join(", ");
  };
  return { svg, set };
}

function makeTable(nWords) {
  const titles = ["Word", "Place", "Output begins", "Change"];
  const cells = Array.from({ length: nWords }, () => titles.map((_, j) => htmlNode(j ? "td" : "th")));
  for (const [name] of cells) name.scope = "row";
  const heads = titles.map((textContent) => htmlNode("th", { scope: "col", textContent }));
  const rows = cells.map((row) => htmlNode("tr", {}, ...row));
  const table = htmlNode("table", { className: "aw-places" },
    htmlNode("thead", {}, htmlNode("tr", {}, ...heads)), htmlNode("tbody", {}, ...rows));
  const set = (texts) => cells.forEach((row, i) => row.forEach((cell, j) => {
    cell.textContent = texts[i][j];
  }));
  return { table, set };
}

/** The words as they stand: their weights, and how far each output has changed. */
function makeWords(words) {
  const map = heatmap(words, words, { size: 260, left: 44 });
  const { table, set: setTable } = makeTable(words.length);
  const labels = ["aw-of-key", "aw-of-query"].map((kind) => [...map.svg.querySelectorAll(`.${kind}`)]);
  const set = (names, places, { weights, output }, changes) => {
    map.set(weights);
    for (const kind of labels) kind.forEach((text, i) => { text.textContent = names[i]; });
    const numbers = names.map((_, i) => [output[i][0], changes[i]].map((v) => fixed(v, 3)));
    setTable(names.map((name, i) => [name, places[i], ...numbers[i]]));
    const moved = names.map((name, i) => `${name} by ${numbers[i][1]}`).join(", ");
    map.svg.speak(`Weights of ${names.join(" ")}; their outputs changed: ${moved}`);
  };
  return { svg: map.svg, table, set };
}

function makePart(heading, ...nodes) {
  const title = htmlNode("div", { className: "aw-heading", textContent: heading });
  return { node: htmlNode("div", {}, title, ...nodes), title };
}

function render({ model, el }) {
  const words = model.get("words"), x = model.get("x"), dModel = x[0].length;
  const layer = { wQuery: model.get("w_query"), wKey: model.get("w_key"), wValue: model.get("w_value") };
  const nShown = model.get("n_shown"), { svg, pairs } = makeWaves(dModel, nShown, words.length);
  const dots = makeDots(dModel), attending = makeWords(words);
  const says = htmlNode("p", { className: "aw-hint" });
  const encoding = makePart("", svg), products = makePart("Dot products by offset", dots.svg, says);
  const left = htmlNode("div", { className: "aw-stack" }, encoding.node, products.node);
  const right = makePart("Three words attend", attending.svg, attending.table);
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" }, left, right.node));
  let drawn = null;

  const showPosition = (position, base, encodings) => {
    encoding.title.textContent = `The encoding of position ${position}`;
    if (drawn !== base) {
      const quarters = Array.from({ length: 4 * nShown }, (_, i) => positionalEncoding(i / 4, dModel, base));
      pairs.forEach(({ draw }) => draw(quarters));
    }
    drawn = base;
    pairs.forEach(({ mark }) => mark(position, encodings));
    svg.speak(`Position ${position}: ${encodings[0].map((v) => fixed(v, 3)).join(", ")}`);
    says.textContent = `Offsets 0, 1, 2, 3: ${dots.set(position, base)}`;
    dots.svg.speak(`Dot products with position ${position}. ${says.textContent}`);
  };
  return redrawOn(model, ["position", "base", "order", "add"], () => {
    const base = model.get("bases")[model.get("base")], position = model.get("position");
    const encodings = words.map((_, i) => positionalEncoding(position + i, dModel, base));
    showPosition(position, base, encodings);
    const order = model.get("orders")[model.get("order")], added = model.get("add") ? encodings : null;
    const now = attend(placed(x, order, added), layer);
    const first = attend(placed(x, words.map((_, i) => i), added), layer).output;
    const changes = order.map((word, i) => norm([now.output[i].map((v, j) => v - first[word][j])]));
    const places = words.map((_, i) => (added ? position + i : "–"));
    attending.set(order.map((word) => words[word]), places, now, changes);
  });
}

export default { render };
