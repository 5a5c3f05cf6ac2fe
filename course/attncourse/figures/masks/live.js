// Lesson 9: change a word, and see which rows change under a mask.
import { maskedWeights, multiply } from "../kit/maths.js";
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, tint, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";
import { buttonGrid } from "../kit/walk.js";

// What the figure of lesson 9 computes: pure functions.

/** Query i may look at the keys j ≤ i + ahead; cells that were clicked are flipped. */
export function maskOf(n, ahead, flipped) {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) =>
    (j <= i + ahead) !== flipped.includes(i * n + j)));
}

const plus = (a, b) => a.map((row, i) => row.map((x, j) => x + b[i][j]));
const shifted = (rows, bias) => rows.map((row) => row.map((x, j) => x + bias[j]));

/** Two layers under a mask, as lesson 8 has them: attention is added, then what the network
 *  makes of each row. Gives the weights of the second and the rows in the end. */
export function twoLayers(rows, layers, [w1, b1, w2, b2], allowed) {
  let weights;
  for (const [wQuery, wKey, wValue, wOutput] of layers) {
    weights = maskedWeights(multiply(rows, wQuery), multiply(rows, wKey), allowed);
    rows = plus(rows, multiply(multiply(weights, multiply(rows, wValue)), wOutput));
    const hidden = shifted(multiply(rows, w1), b1).map((row) => row.map((x) => Math.max(0, x)));
    rows = plus(rows, shifted(multiply(hidden, w2), b2));
  }
  return { weights, rows };
}

/** Which rows of two tables differ. */
export function changed(before, after) {
  return after.map((row, i) => row.some((x, j) => Math.abs(x - before[i][j]) > 1e-9));
}

/** The next word for a place: after the one that stands there, or after the old one. */
export function next(words, began, { place, word }, chosen) {
  return words[(words.indexOf(chosen === place ? word : began[chosen - 1]) + 1) % words.length];
}

const LEFT = 42, CELL = 44, ROW = 36, TOP = 50, GAP = 4, PART = 39, FOOT = 20;

const centered = (x, y, more = {}) => ({ x, y, "text-anchor": "middle", ...more });

/** The words across the top, which one presses to change them. */
function makeHead(n) {
  return Array.from({ length: n }, (_, j) => {
    const x = LEFT + j * CELL, node = svgNode("g", { class: "aw-chip" });
    const box = { x: x + 1, y: 16, width: CELL - 2, height: 29, rx: 5 };
    const text = svgNode("text", centered(x + CELL / 2, 35, { class: "aw-chip-word" }));
    node.append(svgNode("rect", box), text);
    return { node, text };
  });
}

/** A word in its chip, or before its row: a long one stands in two lines. */
function writeWord(text, word) {
  const half = Math.floor(word.length / 2), x = text.getAttribute("x");
  const lines = word.length > 6 ? [`${word.slice(0, half)}-`, word.slice(half)] : [word];
  retell(text, lines.join(""));
  if (lines.length > 1) text.replaceChildren(...lines.map((line, k) => svgNode("tspan", { x, dy: k ? 12 : -6 }, line)));
}

/** A row for each query: its name, its weights, what its row holds before and after. */
function makeRow(svg, i, n) {
  const y = TOP + i * ROW, foot = y + ROW / 2 + 4;
  const name = svgNode("text", { x: LEFT - 6, y: foot, "text-anchor": "end", class: "aw-of-query" });
  const cells = Array.from({ length: n }, (_, j) => {
    const x = LEFT + j * CELL, node = svgNode("g", { class: "aw-pick" });
    const box = { x: x + 1, y: y + 1, width: CELL - 2, height: ROW - 2, rx: 3 };
    const back = svgNode("rect", { ...box, class: "aw-base" });
    const fill = svgNode("rect", { ...box, class: "aw-cell" });
    const text = svgNode("text", centered(x + CELL / 2, foot));
    node.append(back, fill, text);
    return { node, fill, text };
  });
  const right = LEFT + n * CELL + GAP;
  const box = { x: right - 2, y: y + 2, width: 2 * PART + 2, height: ROW - 4, rx: 4 };
  const frame = svgNode("rect", { ...box, class: "aw-out" });
  const parts = [0, 1].map((c) => {
    const x = right + (c + 0.5) * PART;
    return { now: svgNode("text", centered(x, y + 15, { class: "aw-of-value" })),
      was: svgNode("text", centered(x, y + 31, { class: "aw-was" })) };
  });
  svg.append(name, frame, ...parts.flatMap(({ now, was }) => [now, was]));
  return { name, cells, frame, parts };
}

/** What else one can press: said once the first question is answered. */
function makeHints(svg, n) {
  const more = svgNode("g", { visibility: "hidden" });
  more.append(
    svgNode("text", { x: LEFT, y: 11, class: "aw-small aw-quiet" }, "press a word to change it"),
    svgNode("text", { x: LEFT, y: TOP + n * ROW + 14, class: "aw-small aw-quiet" },
      "press a cell to forbid it, or to allow it"));
  svg.append(more);
  return more;
}

function headings(svg, n) {
  const right = LEFT + n * CELL + GAP;
  svg.append(
    svgNode("text", centered(right + PART, 24, { class: "aw-small aw-quiet" }), "in the end"),
    svgNode("text", centered(right + PART / 2, 42, { class: "aw-small aw-of-value" }), "alive"),
    svgNode("text", centered(right + 1.5 * PART, 42, { class: "aw-small aw-of-value" }), "edible"));
}

/** Every number of the figure, from what the controls say. */
export function compute({ ahead, place, word, flipped }, { words, rows, began, layers, network }) {
  const allowed = maskOf(began.length, ahead, flipped), old = began[place - 1];
  const sentence = began.map((one, i) => (i === place - 1 ? word : one));
  const pass = (all) => twoLayers(all.map((one) => rows[words.indexOf(one)]), layers, network, allowed);
  const read = (all) => all.map((row) => row.slice(0, 2)); // alive and edible
  const { weights, rows: last } = pass(sentence), before = read(pass(began).rows), after = read(last);
  const moved = changed(before, after), leaks = sentence.filter((_, i) => moved[i] && i < place - 1);
  return { sentence, old, allowed, weights, before, after, leaks, changed: moved,
    seen: weights.map((row, i) => row.map((w, j) => (allowed[i][j] ? w : null))),
    held: [before, after].flatMap((all) => [0, 1].map((c) => all.map((row) => row[c]))),
    case: word === old ? "same" : leaks.length ? "leak" : "none" };
}

function draw({ el, data: { words, began }, state, put, flip }) {
  const n = began.length, picture = svgNode("g", { role: "img" });
  const svg = surface(LEFT + n * CELL + GAP + 2 * PART + 2, TOP + n * ROW + FOOT, "aw-masks");
  const head = makeHead(n), rows = began.map((_, i) => makeRow(picture, i, n));
  const note = htmlNode("p", { className: "aw-verdict" });
  const hints = makeHints(picture, n);
  headings(picture, n);
  svg.append(picture);
  svg.setAttribute("aria-label", "Who may look at whom");
  const call = buttonGrid(svg, "The words, and below them what each word may look at. Arrow keys walk.",
    [head, ...rows.map(({ cells }) => cells)].map((row) => row.map(({ node }) => node)),
    (i, j) => (i ? flip("flipped", (i - 1) * n + j) : put({ word: next(words, began, state(), j + 1), place: j + 1 })));
  svg.append(...head.map(({ text }) => text)); // on its button, which says the word whole
  el.append(svg, note);

  return ({ sentence, allowed, weights, before, after, changed: moved }, { place }, { summary }, reached) => {
    if (reached[0]) hints.removeAttribute("visibility");
    head.forEach(({ node, text }, j) => {
      writeWord(text, sentence[j]);
      call(0, j, `change ${sentence[j]}`);
      for (const one of [node, text]) one.classList.toggle("aw-chosen", j === place - 1);
    });
    rows.forEach(({ name, cells, frame, parts }, i) => {
      writeWord(name, sentence[i]);
      cells.forEach(({ node, fill, text }, j) => {
        update(fill, { "fill-opacity": tint(weights[i][j]) });
        text.textContent = allowed[i][j] ? fixed(weights[i][j]) : "–";
        node.classList.toggle("aw-forbidden", !allowed[i][j]);
        call(i + 1, j, `${sentence[i]} may look at ${sentence[j]}: ${text.textContent}`, allowed[i][j]);
      });
      frame.classList.toggle("aw-lit", moved[i]);
      parts.forEach(({ now: text, was }, c) => {
        text.textContent = fixed(after[i][c]);
        was.textContent = moved[i] ? fixed(before[i][c]) : "";
      });
    });
    retell(note, summary);
  };
}

/** Another mask has no cells of its own. */
const follow = (at, was) => (at.ahead === was.ahead ? {} : { flipped: [] });

export const goal = ({ changed: moved }, { ahead, place }) => ahead === 0 && moved[place - 1];

export default live({ compute, draw, follow, task: challenge(goal) });
