// Lesson 8: tap a word to change it, and see which rows light up, step by step.
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { ghosts, retell, write } from "../kit/drag.js";
import { clausesOf, tellOf } from "../kit/voice.js";

const WIDTH = 350, LEFT = 70, CELL = 56, ROW = 33, TOP = 34, FOOT = TOP + 5 * ROW, IT = 3;
const TALL = 44, BASE = FOOT + 82;

/** The columns in which a row holds more than one half, by name. */
export function reads(row, columns) {
  return columns.filter((_, i) => row[i] > 0.5);
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
function makeWords(svg, model, n) {
  const nodes = Array.from({ length: n }, (_, i) => {
    const y = TOP + i * ROW, node = svgNode("g", { class: "aw-tap" });
    const box = { x: 1, y: y + 2, width: LEFT - 6, height: ROW - 4, rx: 6, class: "aw-face" };
    const name = svgNode("text", { x: LEFT / 2 - 2, y: y + 21, "text-anchor": "middle" });
    node.append(svgNode("rect", box), name);
    node.addEventListener("click", () =>
      write(model, { change: model.get("change") === i + 1 ? 0 : i + 1 }));
    svg.append(node);
    return { node, name };
  });
  return (words, changed) => nodes.forEach(({ node, name }, i) => {
    retell(name, words[i]);
    node.classList.toggle("aw-chosen", i === changed);
  });
}

/** The cells of all words at all steps; tapping a column goes to that step. */
function makeTable(svg, model, steps, nWords, nColumns) {
  [1, 2].forEach((layer) => text(svg, LEFT + CELL * 2 * layer, 11, `layer ${layer}`, "aw-tick"));
  const columns = steps.map((name, s) => {
    const x = LEFT + s * CELL, node = svgNode("g", { class: "aw-tap" });
    node.append(svgNode("rect", { x, y: 14, width: CELL, height: FOOT - 14, fill: "transparent" }));
    const [word] = name.split(" "), head = text(node, x + CELL / 2, 27, word, "aw-small");
    update(head, { textLength: Math.min(CELL - 4, 6 * word.length), lengthAdjust: "spacingAndGlyphs" });
    const cells = Array.from({ length: nWords }, (_, i) => makeCell(node, x, TOP + i * ROW, nColumns));
    node.addEventListener("click", () => write(model, { step: s }));
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

function render({ model, el }) {
  const columns = model.get("columns"), steps = model.get("steps"), all = model.get("rows");
  const n = model.get("words")[0].length, svg = surface(WIDTH, BASE + 28, "aw-ripple");
  const setWords = makeWords(svg, model, n), keep = ghosts();
  const setTable = makeTable(svg, model, steps, n, columns.length), setRow = makeRow(svg, columns);
  const note = htmlNode("p", { className: "aw-hint" }), holds = htmlNode("b"), moved = htmlNode("span");
  note.append(holds, moved);
  el.classList.add("aw-view");
  el.append(svg, note);
  let last = null;
  return redrawOn(model, ["change", "step"], () => {
    const change = model.get("change"), step = model.get("step");
    const words = model.get("words")[change], apart = model.get("apart")[change];
    setWords(words, change - 1);
    setTable(all[change], apart, step, last !== null && last !== change && keep);
    setRow(`“${words[IT]}” after: ${steps[step]}`, all[change][step][IT], all[0][step][IT]);
    last = change;
    const held = reads(all[change][step][IT], columns).join(", ") || "nothing";
    const lit = words.map((w, i) => [w, apart[step][i]]).filter(([, a]) => a >= 0.005);
    const says = lit.map(([w, a]) => `${w} by ${fixed(a)}`).join(", ") || "none";
    retell(holds, `“${words[IT]}” holds: ${held}. `);
    moved.textContent = `Rows changed: ${says}.`;
    tellOf(moved, clausesOf(moved.textContent)); // who notices is the question
    svg.speak(`After ${steps[step]}. ${note.textContent}`);
  });
}

export default { render };
