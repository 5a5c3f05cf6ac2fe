// Lesson 16: what comes out of a black box, for what one puts in.
import { dotProductScores, multiply, softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { htmlNode, roomyTable } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const LOOK = { left: 66, cell: [46, 30], foot: 19, anchor: "end", kind: "aw-black-box" };
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

function draw({ el, data: { query, key } }) {
  const names = (rows, word, of) => rows.map((_, i) => [`${word}${i + 1}`, of]);
  const { svg, set } = roomyTable("output", names(query, "query ", "aw-of-query"), names(key, "", "aw-of-value"), LOOK);
  const note = htmlNode("p", { className: "aw-verdict" });
  el.append(svg, note);
  return ({ output }, state, { summary }) => {
    set(output);
    retell(note, summary);
  };
}

export default live({ compute, draw });
