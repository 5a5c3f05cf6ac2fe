// Lesson 17: the weights as they were meant, beside those that shipped.
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, roomyTable } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const short = (weight) => fixed(weight).replace(/^0(?=\.)/, "");
const LOOK = { left: 26, cell: [32, 27], foot: 18, kind: "aw-shipped", write: short }, SAME = 0.005;

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

function draw({ el, data: { table: scores } }) {
  const named = (letter, of) => scores.map((_, i) => [`${letter}${i + 1}`, of]), names = [named("q", "aw-of-query"), named("k", "aw-of-key")];
  const tables = ["as meant", "as shipped"].map((title) => roomyTable(title, ...names, LOOK));
  const note = htmlNode("p", { className: "aw-verdict" });
  el.append(htmlNode("div", { className: "aw-pair" }, ...tables.map(({ svg }) => svg)), note);
  return ({ meant, shipped, most }, state, { summary }) => {
    const differs = (i, j) => Math.abs(meant[i][j] - shipped[i][j]) > SAME;
    tables[0].set(meant, differs);
    tables[1].set(shipped, differs);
    note.classList.toggle("aw-met", most > SAME);
    retell(note, summary);
  };
}

export default live({ compute, draw });
