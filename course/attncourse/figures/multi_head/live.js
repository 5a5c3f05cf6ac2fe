// Lesson 6: one row of weights tells "ate" the same of both parts, two tell it each by itself.
import { multiply } from "../kit/maths.js";
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { heatmap, htmlNode, svgNode } from "../kit/draw.js";

/** Every number of the figure, from what the controls say. */
export function compute({ sentence, before }, { animals }) {
  const words = sentence.split(" "), values = words.map((word) => animals.map((one) => Number(word === one)));
  const weights = [[before, 0, 1 - before], [1 - before, 0, before]];
  const two = multiply(weights, values), one = [two[0], two[0]], wanted = [values[0], values[2]];
  const right = two.every((row, i) => row.every((x, j) => Math.abs(x - wanted[i][j]) < 1e-6));
  return { words, weights, one, two, wanted, case: right ? "right" : "mixed" };
}

function draw({ el, data: { animals, parts, heads } }) {
  const look = { size: 344, left: 92 }, heading = (text) => htmlNode("div", { className: "aw-heading" }, text);
  const weights = heatmap(heads, ["", "", ""], look), told = [0, 1].map(() => heatmap(parts, animals, look));
  const marks = told.map(({ svg, cells }) => cells.map((row) => row.map(({ box }) => {
    const mark = svgNode("rect", { ...box, rx: 2, class: "aw-wanted" });
    svg.append(mark);
    return mark;
  })));
  const column = ({ svg }, k) => htmlNode("div", {}, heading(k ? "Told by both heads" : "Told by head 1 alone"), svg);
  el.append(heading("Weights of “ate”"), weights.svg, htmlNode("div", { className: "aw-columns" }, ...told.map(column)),
    htmlNode("p", { className: "aw-hint" }, "Framed: what should be 1; all others should be 0."));
  const names = weights.svg.querySelectorAll(".aw-of-key");
  return (now) => {
    names.forEach((name, j) => { name.textContent = now.words[j]; });
    weights.set(now.weights);
    [now.one, now.two].forEach((rows, k) => told[k].set(rows));
    for (const table of marks) table.forEach((row, i) => row.forEach((mark, j) => mark.classList.toggle("aw-lit", now.wanted[i][j] === 1)));
  };
}

/** Two heads are to be right: then the first slot of one is, too. */
export const goal = (now) => now.case === "right";

export default live({ compute, draw, task: challenge(goal) });
