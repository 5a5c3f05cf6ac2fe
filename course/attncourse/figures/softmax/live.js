// Lesson 4: three scores, their exponentials, their shares and how the shares respond.
import { softmax, softmaxJacobian } from "../kit/maths.js";
import { fixed, heatmap, htmlNode, readable, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const SIZE = 320, TOP = 20, BARS = 84, SHARES = 138, THICK = 26, LEFT = 62;
const N = 3, STEP = (SIZE - LEFT) / N;
const TRAITS = ["score_1", "score_2", "score_3", "added", "temperature"];

/** Every number of the figure, from what the controls say. */
export function shares(scores, added, temperature) {
  const tempered = scores.map((s) => (s + added) / temperature);
  const weights = softmax(tempered);
  const exponentials = tempered.map(Math.exp);
  return { tempered, exponentials, weights, jacobian: softmaxJacobian(weights) };
}

/** Where each share of a strip begins and ends: the weights added up from the left. */
export function strip(weights, width) {
  let end = 0;
  return weights.map((w) => {
    const x = end;
    end += w * width;
    return { x, width: end - x };
  });
}

/** Bars of the exponentials above one strip that the weights divide. */
function makeBars() {
  const svg = surface(SIZE, SHARES + THICK + 4), foot = TOP + BARS;
  const label = (y, text) => svg.append(svgNode("text", { x: 0, y, class: "aw-small" }, text));
  label(foot - BARS / 2 + 4, "exponential");
  label(SHARES + THICK / 2 + 4, "share");
  svg.append(svgNode("path", { class: "aw-axis", d: `M${LEFT} ${foot}H${SIZE}` }));
  const parts = Array.from({ length: N }, (_, j) => {
    const middle = LEFT + (j + 0.5) * STEP, place = { x: middle, "text-anchor": "middle" };
    const bar = svgNode("rect", { class: "aw-bar", x: middle - 16, width: 32 });
    const number = svgNode("text", { ...place, class: "aw-small" });
    const name = svgNode("text", { ...place, y: foot + 15, class: "aw-small" }, `key ${j + 1}`);
    const share = svgNode("rect", { class: "aw-bar", y: SHARES, height: THICK, rx: 2 });
    share.style.fillOpacity = [0.5, 0.34, 0.18][j];
    const text = svgNode("text", { y: SHARES + 17, "text-anchor": "middle", class: "aw-small" });
    svg.append(bar, number, name, share, text);
    return { bar, number, share, text };
  });
  const set = ({ exponentials, weights }) => {
    const most = Math.max(...exponentials), segments = strip(weights, SIZE - LEFT);
    parts.forEach(({ bar, number, share, text }, j) => {
      const height = (exponentials[j] / most) * BARS, { x, width } = segments[j];
      update(bar, { y: foot - height, height });
      update(number, { y: foot - height - 5 });
      number.textContent = readable(exponentials[j]);
      update(share, { x: LEFT + x, width: Math.max(width - 1.5, 0) });
      update(text, { x: LEFT + x + width / 2 });
      text.textContent = width > 44 ? `${j + 1}: ${fixed(weights[j], 2)}` : "";
    });
  };
  return { svg, set };
}

/** The same numbers as a table, a column for each key. */
function makeTable() {
  const cell = (text) => htmlNode("th", { scope: "col", textContent: text });
  const row = (text) => {
    const cells = Array.from({ length: N }, () => htmlNode("td"));
    const head = htmlNode("th", { scope: "row", textContent: text });
    const set = (values, format) => values.forEach((v, j) => { cells[j].textContent = format(v); });
    return { node: htmlNode("tr", {}, head, ...cells), set };
  };
  const tempered = row("scaled"), powers = row("exponential"), weights = row("weight");
  const heads = Array.from({ length: N }, (_, j) => cell(`key ${j + 1}`));
  const table = htmlNode("table", { className: "aw-steps" },
    htmlNode("thead", {}, htmlNode("tr", {}, htmlNode("td"), ...heads)),
    htmlNode("tbody", {}, tempered.node, powers.node, weights.node));
  const set = (now) => {
    tempered.set(now.tempered, (x) => fixed(x, 2));
    powers.set(now.exponentials, readable);
    weights.set(now.weights, readable);
  };
  return { table, set };
}

function render({ model, el }) {
  const bars = makeBars(), { table, set } = makeTable();
  const names = (symbol) => Array.from({ length: N }, (_, j) => symbol + "₁₂₃"[j]);
  const grid = heatmap(names("w"), names("s"), { digits: 3, signed: true, left: 30 });
  const heading = (text) => htmlNode("div", { className: "aw-heading", textContent: text });
  const note = htmlNode("p", { className: "aw-hint",
    textContent: "Row i, column j: wᵢ(δᵢⱼ − wⱼ), the response of weight i to scaled score j." });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" },
    htmlNode("div", {}, heading("From scores to shares"), bars.svg, table),
    htmlNode("div", {}, heading("How each weight responds"), grid.svg, note)));

  return redrawOn(model, TRAITS, () => {
    const [one, two, three, added, temperature] = TRAITS.map((trait) => model.get(trait));
    const now = shares([one, two, three], added, temperature);
    bars.set(now);
    set(now);
    grid.set(now.jacobian, 0.25);
    const say = (values) => values.map(readable).join(", ");
    bars.svg.speak(`Scaled scores: ${now.tempered.map((x) => fixed(x, 2)).join(", ")}. ` +
      `Exponentials: ${say(now.exponentials)}. Weights: ${say(now.weights)}.`);
    grid.svg.speak(`Jacobian, row by row: ${now.jacobian.map((row) =>
      row.map((x) => fixed(x, 3)).join(", ")).join("; ")}.`);
  });
}

export default { render };
