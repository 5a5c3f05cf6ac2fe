// Lesson 10: the weights of a small model at every step of its training.
import { live } from "../kit/declared.js";
import { fixed, heatmap, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { codesOf } from "../kit/letters.js";

const WIDTH = 320, HEIGHT = 130, LEFT = 30, RIGHT = 6, TOP = 10, FOOT = 34;
const MIDDLE = 69; // as in live.py

/** Where in the picture a curve's points lie: [[x, y], ...]; 0 is at the bottom. */
export function places(values, most) {
  const across = (WIDTH - LEFT - RIGHT) / (values.length - 1);
  return values.map((v, i) => [LEFT + i * across, TOP + (HEIGHT - TOP) * (1 - v / most)]);
}

/** The rows of a training, from a letter for each number: how much more it is than the
 *  one before. See `sent` in live.py. */
function unpack(letters, n) {
  const codes = codesOf(letters);
  return Array.from({ length: codes.length / n }, (_, row) => {
    let sum = 0;
    return codes.slice(row * n, (row + 1) * n).map((code) => (sum += code - MIDDLE));
  });
}

const LOSS = 42, hundredth = (number) => number / 100;

/** Every number of the figure, from what the controls say. */
export function compute({ step, model }, { steps, runs, alphabet, answers, named }) {
  const at = steps.indexOf(step), now = unpack(runs[model], steps.length).map((row) => row[at]);
  const all = now.slice(0, LOSS + 2).map(hundredth), best = now.slice(LOSS + 2);
  const weights = named.map((_, i) => all.slice(6 * i, 6 * i + 6)), right = best.map((letter, i) => letter === answers[i]);
  return { weights, says: best.map((letter) => alphabet[letter]), right, of_answer: all.slice(36, LOSS),
    on_named: weights.map((row, i) => row[named[i]]), n_right: right.filter(Boolean).length, loss: all[LOSS], accuracy: all[LOSS + 1] };
}

const path = (points) => `M${points.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L")}`;

/** The loss at every step, of one model in full and of the others faintly. */
function makeCurve(all, steps) {
  const svg = surface(WIDTH, HEIGHT + FOOT), most = Math.ceil(Math.max(...all.flat()));
  const points = all.map((losses) => places(losses, most));
  svg.append(svgNode("path", { class: "aw-axis", d: `M${LEFT} ${TOP}V${HEIGHT}H${WIDTH - RIGHT}` }));
  const label = (x, y, anchor, text) =>
    svg.append(svgNode("text", { x, y, "text-anchor": anchor, class: "aw-small" }, text));
  for (let loss = 0; loss <= most; loss++) {
    label(LEFT - 6, TOP + (HEIGHT - TOP) * (1 - loss / most) + 4, "end", `${loss}`);
  }
  const middle = (steps.length - 1) / 2;
  for (const [i, anchor] of [[0, "middle"], [middle, "middle"], [steps.length - 1, "end"]]) {
    label(points[0][i][0], HEIGHT + 16, anchor, `${steps[i]}`);
  }
  label((LEFT + WIDTH) / 2, HEIGHT + 31, "middle", "steps");
  const lines = points.map((p) => svgNode("path", { class: "aw-wave", d: path(p) }));
  const dot = svgNode("circle", { class: "aw-bar", r: 5 });
  svg.append(...lines, dot);
  const set = (model, step) => {
    lines.forEach((line, i) => line.classList.toggle("aw-faint", i !== model));
    const [cx, cy] = points[model][step];
    update(dot, { cx: cx.toFixed(1), cy: cy.toFixed(1) });
  };
  return { svg, set };
}

/** A table with what each card should say and what the model says. */
function makeAnswers(queries, answer) {
  const cells = queries.map(() => [htmlNode("td"), htmlNode("td")]);
  const head = ["Card", "Answer", "Model says", "p(answer)"].map((textContent) =>
    htmlNode("th", { scope: "col", textContent }));
  const rows = queries.map((textContent, i) => htmlNode("tr", {}, htmlNode("th", { scope: "row", textContent }),
    htmlNode("td", { textContent: answer[i] }), ...cells[i]));
  const table = htmlNode("table", { className: "aw-places", ariaLabel: "What the model says of each card" },
    htmlNode("thead", {}, htmlNode("tr", {}, ...head)), htmlNode("tbody", {}, ...rows));
  return { table, cells };
}

function draw({ el, data: { asks, shows, answer, named, steps, runs } }) {
  const weights = heatmap(asks, shows, { left: 58 }), models = Object.keys(runs);
  named.forEach((j, i) => weights.cells[i][j].fill.classList.add("aw-marked"));
  const curve = makeCurve(Object.values(runs).map((run) => unpack(run, steps.length)[LOSS].map(hundredth)), steps);
  const { table, cells } = makeAnswers(asks, answer);
  const [heading, title] = [1, 2].map(() => htmlNode("div", { className: "aw-heading" }));
  el.append(htmlNode("div", { className: "aw-columns" },
    htmlNode("div", {}, heading, weights.svg),
    htmlNode("div", { className: "aw-stack" }, table, htmlNode("div", {}, title, curve.svg))));
  return (now, { step, model }) => {
    weights.set(now.weights);
    curve.set(models.indexOf(model), steps.indexOf(step));
    cells.forEach(([says, share], i) => {
      says.textContent = `${now.says[i]} ${now.right[i] ? "✓" : "✗"}`;
      share.textContent = fixed(now.of_answer[i]);
    });
    heading.textContent = `Weights after ${step} steps, ${model}`;
    title.textContent = `On 200 other rows: loss ${fixed(now.loss)}, accuracy ${fixed(now.accuracy)}`;
  };
}

export default live({ compute, draw });
