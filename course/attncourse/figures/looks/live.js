// "It" looks for the dog again and again, and adds what it finds: a row for each look.
import { attentionWeights, multiply } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { heatmap } from "../kit/draw.js";

/** Every number of the figure, from what the controls say. */
export function compute({ looks }, { rows, weights: [wQuery, wKey, wValue, wOutput], it, alive }) {
  const told = [], steps = [];
  for (let k = 1; k <= looks; k += 1) {
    const weights = attentionWeights(multiply(rows, wQuery), multiply(rows, wKey));
    const update = multiply(multiply(weights, multiply(rows, wValue)), wOutput);
    rows = rows.map((row, i) => row.map((x, j) => x + update[i][j]));
    told.push([rows[it][alive], ...weights[it]]);
    steps.push(`${k}`);
  }
  return { steps, told, last: told.at(-1) };
}

function draw({ el, data: { columns, most } }) {
  const steps = Array.from({ length: most }, (_, k) => `${k + 1}`);
  const table = heatmap(steps, columns, { size: 344, left: 24 });
  el.append(table.svg);
  return ({ told }) => {
    table.set(steps.map((_, k) => told[k] ?? columns.map(() => 0)));
    table.cells.slice(told.length).flat().forEach(({ text }) => { text.textContent = ""; });
  };
}

export default live({ compute, draw });
