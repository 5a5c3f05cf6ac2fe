// Lesson 17: the weights as they were meant, beside those that shipped.
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, tint, update } from "../kit/draw.js";
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

const counted = (n, one, more) => `${n} ${n === 1 ? one : more}`;
const numbered = (rows, name) => rows.map((_, i) => `${name} ${i + 1}`);

/** Every number of the figure, from what the controls say. */
export function compute({ piece, n_queries, n_keys, size }, { table: scores, pieces, constants }) {
  const part = scores.slice(0, n_queries).map((row) => row.slice(0, n_keys).map((s) => size * s));
  const [meant, shipped] = WAYS[pieces.indexOf(piece)](part, constants);
  const most = Math.max(...meant.flatMap((row, i) => row.map((x, j) => Math.abs(x - shipped[i][j]))));
  return { meant, shipped, most, queries: numbered(meant, "query"), keys: numbered(meant[0], "key"),
    counts: [counted(n_queries, "query", "queries"), counted(n_keys, "key", "keys")], case: most > SAME ? "found" : "same" };
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
      update(fill, { "fill-opacity": tint(weight) });
      number.textContent = short(weight);
      node.classList.toggle("aw-differs", Math.abs(weight - others[i][j]) > SAME);
    }));
  };
  return { svg, set };
}

function draw({ el, data: { table: scores } }) {
  const tables = ["as meant", "as shipped"].map((title) => table(title, scores.length));
  const note = htmlNode("p", { className: "aw-verdict" });
  el.append(htmlNode("div", { className: "aw-pair" }, ...tables.map(({ svg }) => svg)), note);
  return ({ meant, shipped, most }, state, { summary }) => {
    tables[0].set(meant, shipped);
    tables[1].set(shipped, meant);
    note.classList.toggle("aw-met", most > SAME);
    retell(note, summary);
  };
}

export default live({ compute, draw });
