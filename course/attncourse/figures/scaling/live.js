// Lesson 3: scores divided by d_k to the power of p, for every d_k at once.
import { softmax } from "../kit/maths.js";
import { fixed, htmlNode, redrawOn } from "../kit/draw.js";
import { draggable, retell, snap, write } from "../kit/drag.js";
import { tellOf } from "../kit/voice.js";
import { makeRows, makeSweep, NAMES, placeOf, ROWS, spreadAt } from "./charts.js";
import { exponentFor, median, sweep } from "./sweep.js";

const SAYS = {
  spread: [
    "Not enough: the more products a score adds up, the larger it still gets.",
    "Level: the spread is 1 for every d_k.",
    "Too much: the more products a score adds up, the smaller it gets.",
  ],
  weighed: [
    "Not enough: the more numbers a query has, the likelier it gives nearly everything to one key.",
    "Level. A query of 512 numbers now spreads its weight like a query of 8.",
    "Too much: the more numbers the queries have, the nearer all eight weights come to ⅛.",
  ],
};

function render({ model, el }) {
  const [sizes, spreads, scores] = ["sizes", "spreads", "scores"].map((t) => model.get(t));
  const weighed = scores.length > 0, says = SAYS[weighed ? "weighed" : "spread"];
  const charts = makeSweep(sizes, weighed), rows = weighed ? makeRows(scores[0][0].length) : null;
  const divisor = htmlNode("div", { className: "aw-heading" });
  const chosen = htmlNode("div", { className: "aw-heading" });
  const note = htmlNode("p", { className: "aw-hint aw-verdict" });
  const last = sizes.length - 1;
  let met = false;
  el.classList.add("aw-view", "aw-scaling");
  el.append(htmlNode("div", { className: "aw-columns" }, htmlNode("div", {}, divisor, charts.svg, note),
    ...(weighed ? [htmlNode("div", {}, chosen, rows.svg)] : [])));
  el.classList.toggle("aw-alone", !weighed);

  draggable(charts.svg, charts.pull,
    () => [charts.middle(last), placeOf(spreads[last] / sizes[last] ** model.get("p"))],
    ([, y]) => write(model, { p: exponentFor(spreads[last], sizes[last], spreadAt(y)) }));
  draggable(charts.svg, charts.pick, () => [charts.middle(model.get("d_k")), NAMES],
    ([x]) => write(model, { d_k: snap((x - charts.middle(0)) / charts.step, 0, last, 1) }));

  return redrawOn(model, ["p", "d_k"], () => {
    const p = model.get("p"), i = model.get("d_k"), dK = sizes[i];
    const parts = sweep(scores, spreads, sizes, p);
    const way = Math.sign(Math.round((p - 0.5) * 20));
    charts.set(parts, i);
    if (way === 0 && !met) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true }));
    met = way === 0;
    const spread = `${fixed(parts[0].spread)} at d_k = 1, ${fixed(parts[last].spread)} at ${sizes[last]}`;
    retell(divisor, `Scores ÷ d_kᵖ, p = ${fixed(p)}`);
    note.textContent = says[1 + way];
    tellOf(note);
    const told = `Scores divided by d_k to the power of ${fixed(p)}. Spread of the scores: ${spread}.`;
    charts.svg.speak(told);
    if (!weighed) return;
    const weights = scores[i].slice(0, ROWS).map((row) => softmax(row.map((s) => s / dK ** p)));
    rows.set(weights);
    rows.svg.dataset.weights = weights.flat().join(" "); // in full, for tests to read
    retell(chosen, `Eight queries at d_k = ${dK}`);
    charts.svg.speak(`${told} Median of the largest weights: ` +
      `${fixed(median(parts[0].largest))} and ${fixed(median(parts[last].largest))}.`);
    rows.svg.speak(`At d_k = ${dK}, the largest weights of eight queries: ` +
      `${weights.map((row) => fixed(Math.max(...row))).join(", ")}.`);
  });
}

export default { render };
