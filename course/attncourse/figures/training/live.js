// Lesson 10: the weights of a small model at every step of its training.
import { fixed, heatmap, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const WIDTH = 320, HEIGHT = 130, LEFT = 30, RIGHT = 6, TOP = 10, FOOT = 34;

/** Where in the picture a curve's points lie: [[x, y], ...]; 0 is at the bottom. */
export function places(values, most) {
  const across = (WIDTH - LEFT - RIGHT) / (values.length - 1);
  return values.map((v, i) => [LEFT + i * across, TOP + (HEIGHT - TOP) * (1 - v / most)]);
}

/** The most likely letter of each card: its index, and whether it is the answer. */
export function guesses(probabilities, answers) {
  return probabilities.map((row, i) => {
    const best = row.indexOf(Math.max(...row));
    return { best, right: best === answers[i], ofAnswer: row[answers[i]] };
  });
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
function makeAnswers(queries) {
  const cells = queries.map(() => [htmlNode("td"), htmlNode("td"), htmlNode("td")]);
  const head = ["Card", "Answer", "Model says", "p(answer)"].map((textContent) =>
    htmlNode("th", { scope: "col", textContent }));
  const rows = queries.map((textContent, i) =>
    htmlNode("tr", {}, htmlNode("th", { scope: "row", textContent }), ...cells[i]));
  const table = htmlNode("table", { className: "aw-places" },
    htmlNode("thead", {}, htmlNode("tr", {}, ...head)), htmlNode("tbody", {}, ...rows));
  return { table, cells };
}

function render({ model, el }) {
  const [queries, keys, alphabet, answers] =
    ["asks", "shows", "alphabet", "answers"].map((name) => model.get(name));
  const steps = model.get("steps"), models = model.get("models");
  const weights = heatmap(queries, keys, { left: 58 });
  model.get("named").forEach((j, i) => weights.cells[i][j].fill.classList.add("aw-marked"));
  const curve = makeCurve(model.get("losses"), steps);
  const { table, cells } = makeAnswers(queries);
  const heading = htmlNode("div", { className: "aw-heading" });
  const title = htmlNode("div", { className: "aw-heading" });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" },
    htmlNode("div", {}, heading, weights.svg),
    htmlNode("div", { className: "aw-stack" }, table, htmlNode("div", {}, title, curve.svg))));

  return redrawOn(model, ["step", "model"], () => {
    const step = model.get("step"), chosen = model.get("model");
    const of = (trait) => model.get(trait)[chosen][step];
    const matrix = of("weights"), said = guesses(of("probabilities"), answers);
    weights.set(matrix);
    curve.set(chosen, step);
    said.forEach(({ best, right, ofAnswer }, i) => {
      const [answer, says, share] = cells[i];
      answer.textContent = alphabet[answers[i]];
      says.textContent = `${alphabet[best]} ${right ? "✓" : "✗"}`;
      share.textContent = fixed(ofAnswer, 2);
    });
    const numbers = `loss ${fixed(of("losses"), 2)}, accuracy ${fixed(of("accuracies"), 2)}`;
    heading.textContent = `Weights after ${steps[step]} steps, ${models[chosen]}`;
    title.textContent = `On 200 other rows: ${numbers}`;
    curve.svg.speak(`${models[chosen]}, ${steps[step]} steps: ${numbers}`);
    weights.svg.speak(`Weights after ${steps[step]} steps: ${queries.map((query, i) =>
      `${query}: ${matrix[i].map((w) => fixed(w, 2)).join(", ")}`).join("; ")}`);
  });
}

export default { render };
