// Lesson 6: one row of weights tells "ate" the same of both parts, two tell it each by itself.
import { multiply } from "../kit/maths.js";
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { heatmap, htmlNode, svgNode } from "../kit/draw.js";

/** Every number of the figure, from what the controls say. */
export function compute({ sentence, before, heads }, { animals, everyone }) {
  const words = sentence.split(" "), values = words.map((word) => animals.map((one) => Number(word === one)));
  const weights = [[before, 0, 1 - before], [1 - before, 0, before]].slice(0, heads);
  const rows = multiply(weights, values), told = [rows[0], rows.at(-1)]; // one head tells both the same
  const wanted = [values[0], values[2]];
  const [eats, eaten] = told.map((row, i) => row.every((x, j) => Math.abs(x - wanted[i][j]) < 1e-6));
  return { words, who: everyone[heads - 1], weights, told, wanted, case: eats && eaten ? "right" : eats ? "eats" : "mixed" };
}

function draw({ el, data: { animals, parts, everyone } }) {
  const look = { size: 344, left: 92 };
  const weights = heatmap(everyone.at(-1), ["", "", ""], look), told = heatmap(parts, animals, look);
  const marks = told.cells.map((row) => row.map(({ box }) => svgNode("rect", { ...box, rx: 2, class: "aw-wanted" })));
  const heading = (text) => htmlNode("div", { className: "aw-heading" }, text);
  told.svg.append(...marks.flat());
  el.append(heading("Weights of “ate”"), weights.svg, heading("What “ate” is told"), told.svg,
    htmlNode("p", { className: "aw-hint" }, "Framed: what should be 1; all others should be 0."));
  const names = weights.svg.querySelectorAll(".aw-of-key"), whose = weights.svg.querySelectorAll(".aw-of-query");
  const second = [whose[1], ...weights.cells[1].flatMap(({ fill, text }) => [fill, text])]; // its room stays
  return (now) => {
    names.forEach((name, j) => { name.textContent = now.words[j]; });
    whose.forEach((name, i) => { name.textContent = now.who[i] ?? ""; });
    for (const node of second) node.style.visibility = now.weights[1] ? "visible" : "hidden";
    weights.set([now.weights[0], now.weights.at(-1)]);
    told.set(now.told);
    marks.forEach((row, i) => row.forEach((mark, j) => mark.classList.toggle("aw-lit", now.wanted[i][j] === 1)));
  };
}

/** The first slot is to be right: that takes one head. */
export const goal = (now) => now.case !== "mixed";

export default live({ compute, draw, task: challenge(goal) });
