// Lesson 17: the weights as they were meant, beside those that shipped.
import { softmax } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const LEFT = 26, TOP = 40, CELL = 32, ROW = 27, SAME = 0.005;

const masked = (scores, allowed) => scores.map((row, i) =>
  softmax(row.map((s, j) => (allowed(i, j) ? s : -Infinity))));
const turned = (a) => a[0].map((_, j) => a.map((row) => row[j]));
const each = (scores, f) => scores.map((row) => row.map(f));

/** The causal mask, from the corner where the sentence ends and from where it begins. */
function corner(scores) {
  const more = scores[0].length - scores.length;
  return [masked(scores, (i, j) => j <= i + more), masked(scores, (i, j) => j <= i)];
}

/** A window that counts the token itself, and one that does not. */
function aWindow(scores, { window }) {
  const left = (most) => masked(scores, (i, j) => j <= i && i - j <= most);
  return [left(window - 1), left(window)];
}

/** Cap, then mask; and mask, then cap. */
function capped(scores, { cap }) {
  const bend = (s) => cap * Math.tanh(s / cap);
  const before = scores.map((row, i) => row.map((s, j) => (j <= i ? s : -Infinity)));
  return [masked(each(scores, bend), (i, j) => j <= i), each(before, bend).map(softmax)];
}

/** Scores that are scaled once, and twice. */
function scaled(scores, { root }) {
  return [scores.map(softmax), each(scores, (s) => s / root).map(softmax)];
}

/** Softmax over the keys, and over the queries. */
function axis(scores) {
  return [scores.map(softmax), turned(turned(scores).map(softmax))];
}

const WAYS = [corner, aWindow, capped, scaled, axis];

/** The weights as meant and as shipped, for a part of the table times a size. */
export function bothWays(piece, table, [nQueries, nKeys, size], constants) {
  const part = table.slice(0, nQueries).map((row) => row.slice(0, nKeys).map((s) => size * s));
  return WAYS[piece](part, constants);
}

/** The largest difference between two tables. */
export function largestDifference(a, b) {
  return Math.max(...a.flatMap((row, i) => row.map((x, j) => Math.abs(x - b[i][j]))));
}

const short = (weight) => fixed(weight).replace(/^0(?=\.)/, "");

/** A table with room for the most queries and keys; set() shows as many as there are. */
function table(title, most) {
  const svg = surface(LEFT + most * CELL + 2, TOP + most * ROW + 2, "aw-shipped");
  const text = (x, y, className, words) => svgNode("text", { x, y, class: className,
    "text-anchor": "middle" }, words);
  svg.append(svgNode("text", { x: LEFT, y: 14, class: "aw-title" }, title));
  const heads = Array.from({ length: most }, (_, j) =>
    text(LEFT + (j + 0.5) * CELL, TOP - 7, "aw-of-key", `k${j + 1}`));
  const names = Array.from({ length: most }, (_, i) =>
    text(LEFT - 13, TOP + i * ROW + 18, "aw-of-query", `q${i + 1}`));
  const cells = names.map((_, i) => heads.map((__, j) => {
    const box = { x: LEFT + j * CELL + 1, y: TOP + i * ROW + 1, width: CELL - 2, height: ROW - 2, rx: 3 };
    const node = svgNode("g"), fill = svgNode("rect", { ...box, class: "aw-cell" });
    const number = text(LEFT + (j + 0.5) * CELL, TOP + i * ROW + 18, "aw-number", "");
    node.append(svgNode("rect", { ...box, class: "aw-base" }), fill, number);
    return { node, fill, number };
  }));
  svg.append(...heads, ...names, ...cells.flat().map(({ node }) => node));
  const set = (weights, others) => {
    const n = weights.length, m = weights[0].length;
    names.forEach((node, i) => node.classList.toggle("aw-gone", i >= n));
    heads.forEach((node, j) => node.classList.toggle("aw-gone", j >= m));
    cells.forEach((row, i) => row.forEach(({ node, fill, number }, j) => {
      const there = i < n && j < m;
      node.classList.toggle("aw-gone", !there);
      if (!there) return;
      const weight = weights[i][j];
      update(fill, { "fill-opacity": (0.45 * weight).toFixed(3) });
      number.textContent = short(weight);
      node.classList.toggle("aw-differs", Math.abs(weight - others[i][j]) > SAME);
    }));
  };
  return { svg, set };
}

const listed = (weights) => weights.map((row) => row.map((w) => fixed(w)).join(", ")).join("; ");
const counted = (n, one, more) => `${n} ${n === 1 ? one : more}`;

function told([nQueries, nKeys, size], most) {
  const here = `${counted(nQueries, "query", "queries")}, ${counted(nKeys, "key", "keys")}, scores of size ${size}`;
  if (most <= SAME) return `${here}: no weight differs by more than 0.005. A test with these sizes passes.`;
  return `Found: with ${here}, a weight differs by ${fixed(most)}.`;
}

function render({ model, el }) {
  const [scores, sizes, constants] = ["table", "sizes", "constants"].map((name) => model.get(name));
  const tables = ["as meant", "as shipped"].map((title) => table(title, scores.length));
  const note = htmlNode("p", { className: "aw-verdict" });
  const pair = htmlNode("div", { className: "aw-pair" }, ...tables.map(({ svg }) => svg));
  el.classList.add("aw-view");
  el.append(pair, note);
  return redrawOn(model, ["piece", "n_queries", "n_keys", "size"], () => {
    const shape = [model.get("n_queries"), model.get("n_keys"), sizes[model.get("size")]];
    const both = bothWays(model.get("piece"), scores, shape, constants);
    tables.forEach(({ set }, k) => set(both[k], both[1 - k]));
    tables[1].svg.speak(`As shipped: ${listed(both[1])}.`);
    const most = largestDifference(...both);
    note.classList.toggle("aw-met", most > SAME);
    const says = told(shape, most);
    retell(note, says);
    tables[0].svg.speak(`${says} As meant: ${listed(both[0])}.`);
  });
}

export default { render };
