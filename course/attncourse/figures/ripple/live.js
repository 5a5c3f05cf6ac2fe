// Lesson 8: tap a word to change it, and see which rows light up, step by step.
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { ghosts, retell } from "../kit/drag.js";

const WIDTH = 350, LEFT = 70, CELL = 56, ROW = 33, TOP = 34, FOOT = TOP + 5 * ROW, IT = 3;
const TALL = 44, BASE = FOOT + 82;

/** Every number of the figure, from what the controls say. */
export function compute({ change, step }, { changes, columns, all_steps, sentences, all_rows, all_apart }) {
  const c = changes.indexOf(change), s = all_steps.indexOf(step), words = sentences[c], apart = all_apart[c][s];
  const rows = all_rows[c][s], held = columns.filter((_, i) => rows[IT][i] > 0.5);
  const lit = words.flatMap((word, i) => (apart[i] < 0.005 ? [] : [`${word} ${fixed(apart[i])}`]));
  return { words, rows, apart, steps: all_steps.slice(0, s + 1), held: held.length ? held : ["nothing"],
    lit: lit.length ? lit : ["none"], by_step: words.map((_, i) => all_apart[c].slice(0, s + 1).map((one) => one[i])) };
}

/** How strongly a row is lit that has changed by so much: from 0 to 0.6. */
export function glow(change) {
  return change < 0.005 ? 0 : 0.12 + 0.48 * Math.min(change / 1.5, 1);
}

function text(svg, x, y, words, kind, anchor = "middle") {
  const node = svgNode("text", { x, y, class: kind, "text-anchor": anchor }, words);
  svg.append(node);
  return node;
}

/** One row of one word after one step: six small bars on a ground that can be lit. */
function makeCell(svg, x, y, n) {
  const node = svgNode("g", { class: "aw-held-row" });
  const box = { x: x + 1, y: y + 1, width: CELL - 2, height: ROW - 2, rx: 3 };
  const ground = svgNode("rect", { ...box, class: "aw-ground" });
  const bars = Array.from({ length: n }, (_, i) =>
    svgNode("rect", { x: x + 5 + 8 * i, width: 6, class: "aw-column" }));
  node.append(ground, ...bars);
  svg.append(node);
  const set = (row, change) => {
    update(ground, { "fill-opacity": glow(change).toFixed(3) });
    bars.forEach((bar, i) => {
      const height = 0.6 + 20 * Math.min(Math.max(row[i], 0), 1.25);
      update(bar, { y: y + ROW - 4 - height, height });
    });
  };
  return { node, ground, set };
}

/** The words as buttons; tapping one changes it, tapping it again changes it back. */
function makeWords(svg, { data: { changes }, state, put }) {
  const nodes = changes.slice(1).map((change, i) => {
    const y = TOP + i * ROW, node = svgNode("g", { class: "aw-tap" });
    const box = { x: 1, y: y + 2, width: LEFT - 6, height: ROW - 4, rx: 6, class: "aw-face" };
    const name = svgNode("text", { x: LEFT / 2 - 2, y: y + 21, "text-anchor": "middle" });
    node.append(svgNode("rect", box), name);
    node.addEventListener("click", () =>
      put({ change: state().change === change ? "none" : change }));
    svg.append(node);
    return { node, name };
  });
  return (words, changed) => nodes.forEach(({ node, name }, i) => {
    retell(name, words[i]);
    node.classList.toggle("aw-chosen", i === changed);
  });
}

/** The cells of all words at all steps; tapping a column goes to that step. */
function makeCells(svg, { data: { all_steps, columns: { length: nColumns }, sentences: [{ length: nWords }] }, put }) {
  [1, 2].forEach((layer) => text(svg, LEFT + CELL * 2 * layer, 11, `layer ${layer}`, "aw-tick"));
  const columns = all_steps.map((name, s) => {
    const x = LEFT + s * CELL, node = svgNode("g", { class: "aw-tap" });
    node.append(svgNode("rect", { x, y: 14, width: CELL, height: FOOT - 14, fill: "transparent" }));
    const [word] = name.split(" "), head = text(node, x + CELL / 2, 27, word, "aw-small");
    update(head, { textLength: Math.min(CELL - 4, 6 * word.length), lengthAdjust: "spacingAndGlyphs" });
    const cells = Array.from({ length: nWords }, (_, i) => makeCell(node, x, TOP + i * ROW, nColumns));
    node.addEventListener("click", () => put({ step: name }));
    svg.append(node);
    return { node, head, cells };
  });
  return (rows, apart, step, keep) => columns.forEach(({ node, head, cells }, s) => {
    node.classList.toggle("aw-unread", s > step);
    head.classList.toggle("aw-strong", s === step);
    cells.forEach((cell, i) => {
      if (keep && s <= step) keep(cell.ground);
      cell.set(rows[s][i], apart[s][i]);
    });
  });
}

/** The row of "it", large: a bar for each column, and the bar before the change. */
function makeRow(svg, columns) {
  const title = text(svg, 2, FOOT + 22, "", "aw-strong", "start"), wide = WIDTH / columns.length;
  const bars = columns.map((name, i) => {
    const x = wide * (i + 0.5), shape = { x: x - 14, width: 28 };
    const before = svgNode("rect", { ...shape, class: "aw-was" });
    const bar = svgNode("rect", { ...shape, class: "aw-column" });
    svg.append(bar, before);
    name.split(" ").forEach((word, line) => text(svg, x, BASE + 13 + 11 * line, word, "aw-tick aw-tiny"));
    return { bar, before, number: text(svg, x, BASE, "", "aw-small") };
  });
  return (name, row, was) => {
    title.textContent = name;
    bars.forEach(({ bar, before, number }, i) => {
      for (const [node, value] of [[bar, row[i]], [before, was[i]]]) {
        const height = TALL * Math.max(value, 0) / 1.25; // rounding goes below 0
        update(node, { y: BASE - height, height });
      }
      update(number, { y: BASE - 4 - TALL * Math.max(row[i], was[i]) / 1.25 });
      retell(number, fixed(row[i]));
    });
  };
}

function draw(figure) {
  const { el, data: { changes, columns, all_rows, all_apart } } = figure, keep = ghosts();
  const svg = surface(WIDTH, BASE + 28, "aw-ripple"), setWords = makeWords(svg, figure);
  const setCells = makeCells(svg, figure), setRow = makeRow(svg, columns);
  const note = htmlNode("p", { className: "aw-hint" }), holds = htmlNode("b"), moved = htmlNode("span");
  note.append(holds, moved);
  el.append(svg, note);
  let last = null;
  return (now, { change, step }, { said: [rows, held] }) => {
    const c = changes.indexOf(change), s = now.steps.length - 1;
    setWords(now.words, c - 1);
    setCells(all_rows[c], all_apart[c], s, last !== null && last !== change && keep);
    setRow(`“${now.words[IT]}” after: ${step}`, now.rows[IT], all_rows[0][s][IT]);
    last = change;
    retell(holds, `${held}. `);
    moved.textContent = `${rows}.`;
  };
}

export default live({ compute, draw });
