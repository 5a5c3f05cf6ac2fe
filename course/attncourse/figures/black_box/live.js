// Lesson 16: what comes out of a black box, for what one puts in.
import { dotProductScores, multiply, softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, tint, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const LEFT = 66, TOP = 40, CELL = 46, ROW = 30;
const turned = (a) => a[0].map((_, j) => a.map((row) => row[j]));

/** What a box multiplies the values by: its rules are those of Python. */
function boxWeights(query, key, { power, ahead, axis, sink }) {
  const factor = query[0].length ** power;
  const scores = dotProductScores(query, key).map((row, i) =>
    row.map((s, j) => (ahead === null || j <= i + ahead ? s * factor : -Infinity)));
  if (axis === -2) return turned(turned(scores).map(softmax));
  if (sink === null) return scores.map(softmax);
  return scores.map((row) => softmax([...row, sink]).slice(0, -1));
}

/** The values of a choice: ordinary ones, a column of 1, or the identity. */
function valuesOf(choice, ordinary, nKeys) {
  const place = Array.from({ length: nKeys }, (_, j) => j);
  if (choice === "ordinary") return ordinary.slice(0, nKeys);
  return place.map((i) => (choice === "all 1" ? [1] : place.map((j) => (i === j ? 1 : 0))));
}

/** Every number of the figure, from what the controls say. */
export function compute({ box, values, size, n_keys: nKeys }, { query, key, ordinary, boxes }) {
  const asked = query.map((row) => row.map((x) => size * x));
  const output = multiply(boxWeights(asked, key.slice(0, nKeys), boxes[box]), valuesOf(values, ordinary, nKeys));
  return { output, columns: output[0].map((_, j) => `${j + 1}`), case: nKeys === 1 ? "one" : "more",
    sums: output.map((row) => row.reduce((a, b) => a + b, 0)) };
}

/** A table with room for the most columns; set() shows as many as there are. */
function table(nRows, most) {
  const svg = surface(LEFT + most * CELL + 2, TOP + nRows * ROW + 2, "aw-black-box");
  const text = (x, y, className, words, anchor = "middle") => svgNode("text", { x, y, class: className,
    "text-anchor": anchor }, words);
  svg.append(text(LEFT, 14, "aw-title", "output", "start"));
  const heads = Array.from({ length: most }, (_, j) =>
    text(LEFT + (j + 0.5) * CELL, TOP - 7, "aw-of-value", `${j + 1}`));
  const cells = Array.from({ length: nRows }, (_, i) => heads.map((__, j) => {
    const box = { x: LEFT + j * CELL + 1, y: TOP + i * ROW + 1, width: CELL - 2, height: ROW - 2, rx: 3 };
    const node = svgNode("g"), fill = svgNode("rect", { ...box, class: "aw-cell" });
    const number = text(LEFT + (j + 0.5) * CELL, TOP + i * ROW + 19, "aw-number", "");
    node.append(svgNode("rect", { ...box, class: "aw-base" }), fill, number);
    return { node, fill, number };
  }));
  const names = cells.map((_, i) => text(LEFT - 8, TOP + i * ROW + 19, "aw-of-query", `query ${i + 1}`, "end"));
  svg.append(...heads, ...names, ...cells.flat().map(({ node }) => node));
  const set = (rows) => {
    heads.forEach((node, j) => node.classList.toggle("aw-gone", j >= rows[0].length));
    cells.forEach((row, i) => row.forEach(({ node, fill, number }, j) => {
      const there = j < rows[0].length;
      node.classList.toggle("aw-gone", !there);
      if (!there) return;
      update(fill, { "fill-opacity": tint(rows[i][j]) });
      number.textContent = fixed(rows[i][j]);
    }));
  };
  return { svg, set };
}

function draw({ el, data: { query, key } }) {
  const { svg, set } = table(query.length, key.length), note = htmlNode("p", { className: "aw-verdict" });
  el.append(svg, note);
  return ({ output }, state, { summary }) => {
    set(output);
    retell(note, summary);
  };
}

export default live({ compute, draw });
