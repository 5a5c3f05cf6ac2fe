// A network of two hidden numbers: move its bias, switch ReLU, and see which pairs fit.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { heatmap, htmlNode } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

/** Every number of the figure, from what the controls say. */
export function compute({ bias, relu }, { rows, w_1, wanted }) {
  const hidden = [0, 1].map((h) => rows.map((row) => {
    const sum = row.reduce((all, one, i) => all + one * w_1[i][h], bias);
    return relu ? Math.max(0, sum) : sum;
  }));
  const fits = rows.map((_, i) => hidden[0][i] + hidden[1][i]);
  const even = Math.max(...fits) - Math.min(...fits) < 1e-9;
  const right = fits.every((one, i) => Math.abs(one - wanted[i]) < 1e-8);
  return { alive: hidden[0], edible: hidden[1], fits, case: right ? "right" : even ? (relu ? "same" : "off") : "apart" };
}

function draw({ el, data: { pairs, columns, wanted } }) {
  const table = heatmap(pairs, columns, { size: 344, left: 108, signed: true }), told = htmlNode("p", { className: "aw-note" });
  table.svg.classList.add("aw-pairs");
  el.append(htmlNode("div", { className: "aw-goal" }, `Goal: fits = ${wanted.join(", ")}`), table.svg, told);
  return ({ alive, edible, fits, case: how }, _, { summary }) => {
    table.set(pairs.map((_, i) => [alive[i], edible[i], fits[i]]), 2);
    el.classList.toggle("aw-won", how === "right");
    retell(told, how === "right" ? `${summary} Goal reached.` : summary);
  };
}

export const goal = (now) => now.case === "right";

export default live({ compute, draw, task: challenge(goal) });
