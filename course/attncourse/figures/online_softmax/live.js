// Lesson 13: softmax and the weighted mean, one key after the other.
import { multiply, onlineSoftmax, softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { draggable, ghosts, retell } from "../kit/drag.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { makeSound } from "../kit/sound.js";

const WIDTH = 320, SCORES = 150, POWERS = 110, TOP = 26, NAMES = 20;

/** Every number of the figure, from what the controls say. */
export function compute({ read, late }, { given, all, place }) {
  const scores = given.map((score, j) => (j === place ? late : score)).slice(0, read), values = all.slice(0, read);
  const steps = onlineSoftmax(scores, values), [largest, factor, total, ...output] = steps.at(-1);
  return { keys: scores.map((_, j) => `k${j + 1}`), scores, values, largest, factor, total, output,
    powers: scores.map((score) => Math.exp(score - largest)), weights: softmax(scores),
    columns: [0, 1, 2].map((i) => steps.map((step) => step[i])), outputs: steps.map((step) => step.slice(3)) };
}

const pair = (numbers, digits) => numbers.map((x) => fixed(x, digits)).join(" ");

/** A row of bars from a zero line, one for each key, with a number on each. */
function makeBars(n, height, low, high, barClass) {
  const svg = surface(WIDTH, TOP + height + NAMES), step = WIDTH / n;
  const at = (score) => TOP + (height * (high - score)) / (high - low), zero = at(0);
  svg.append(svgNode("path", { class: "aw-axis", d: `M0 ${zero}H${WIDTH}` }));
  const bars = Array.from({ length: n }, (_, j) => {
    const middle = (j + 0.5) * step, center = { x: middle, "text-anchor": "middle" };
    const bar = svgNode("rect", { class: barClass, x: j * step + 5, width: step - 10 });
    const text = svgNode("text", { ...center, class: "aw-small aw-halo" });
    const place = { ...center, y: TOP + height + 15, class: "aw-small" };
    const name = svgNode("text", place, `k${j + 1}`), node = svgNode("g");
    node.append(bar, text, name);
    svg.append(node);
    const set = (value, digits, seen) => {
      const end = value === null ? zero : at(value), y = Math.min(end, zero);
      update(bar, { y: y.toFixed(1), height: Math.abs(end - zero).toFixed(1) });
      update(text, { y: (value < 0 ? zero : y) - 5 });
      text.textContent = value === null ? "" : fixed(value, digits);
      node.classList.toggle("aw-faint", !seen);
    };
    return Object.assign(set, { bar });
  });
  return { svg, at, zero, bars };
}

/** Over each bar a place to take hold of: a tap reads up to that key, and the one whose
 *  score is free goes up and down with the pointer. */
function makeHandles({ data: { range: [low, high], place }, state, put }, scores, n) {
  const step = WIDTH / n;
  const perPoint = SCORES / (high - low);
  for (let j = 0; j < n; j += 1) {
    const box = { x: j * step, y: 0, width: step, height: TOP + SCORES + NAMES };
    const hit = svgNode("rect", { ...box, class: "aw-tap" });
    scores.svg.append(hit);
    hit.addEventListener("click", () => put({ read: j + 1 }));
    if (j !== place) continue;
    const top = () => [0, scores.at(state().late)];
    draggable(scores.svg, hit, top, ([, y]) => put({ late: (scores.zero - y) / perPoint }));
  }
}

const HEADS = ["key", "value", "largest", "factor", "total", "output"];

/** A table with one row for each key, filled as far as it is read. */
function makeKept(values) {
  const n = values.length;
  const cells = Array.from({ length: n }, () => HEADS.slice(1).map(() => htmlNode("td")));
  const rows = cells.map((row, j) =>
    htmlNode("tr", {}, htmlNode("th", { scope: "row", textContent: `k${j + 1}` }), ...row));
  const head = HEADS.map((textContent) => htmlNode("th", { scope: "col", textContent }));
  const table = htmlNode("table", { className: "aw-steps aw-reading", ariaLabel: "What is kept after each key" },
    htmlNode("thead", {}, htmlNode("tr", {}, ...head)), htmlNode("tbody", {}, ...rows));
  const set = ({ columns, outputs }) => cells.forEach((row, j) => {
    const [largest, factor, total] = columns.map((column) => column[j]), step = outputs[j];
    const says = step ? [fixed(largest, 0), j ? fixed(factor, 4) : "–", fixed(total, 3), pair(step, 2)] : [];
    row.forEach((cell, i) => {
      cell.textContent = i === 0 ? pair(values[j], 0) : says[i - 1] ?? "";
    });
    rows[j].classList.toggle("aw-now", j === outputs.length - 1);
    rows[j].classList.toggle("aw-unread", !step);
  });
  return { table, set };
}

function draw(figure) {
  const { el, data: { given, all, place, range: [low, high] } } = figure, n = given.length;
  const scores = makeBars(n, SCORES, low, high, "aw-spread");
  const powers = makeBars(n, POWERS, 0, 1, "aw-bar");
  const line = svgNode("path", { class: "aw-axis aw-right-angle" });
  const name = svgNode("text", { x: 0, class: "aw-small" });
  scores.svg.firstChild.after(line); // behind the bars and their numbers
  scores.svg.append(name);
  makeHandles(figure, scores, n);
  const keep = ghosts();
  let before = null;
  const { table, set } = makeKept(all);
  const [title, kept, told] = [1, 2, 3].map(() => htmlNode("div", { className: "aw-heading" }));
  told.className = "aw-hint";
  title.textContent = "Scores, read from the left. Move k6, choose a key.";
  el.append(htmlNode("div", { className: "aw-columns" },
    htmlNode("div", { className: "aw-stack" },
      htmlNode("div", {}, title, scores.svg), htmlNode("div", {}, kept, powers.svg)),
    htmlNode("div", {}, htmlNode("div", { className: "aw-heading", textContent: "What is kept after each key" }),
      table, told)));

  return (now, { read, late }) => {
    if (before !== null && before !== now.largest) powers.bars.forEach(({ bar }) => keep(bar));
    before = now.largest;
    given.forEach((score, j) => {
      scores.bars[j](j === place ? late : score, 0, j < read);
      powers.bars[j](j < read ? now.powers[j] : null, 3, j < read);
    });
    update(line, { d: `M0 ${scores.at(now.largest).toFixed(1)}H${WIDTH}` });
    update(name, { y: scores.at(now.largest) - 18 });
    name.textContent = `largest ${fixed(now.largest, 0)}`;
    retell(kept, `exp(score − largest): total ${fixed(now.total, 3)}` +
      (read > 1 ? `, last factor ${fixed(now.factor, 4)}` : ""));
    set(now);
    told.textContent = `Softmax of ${read === 1 ? "this score" : `these ${read} scores`} ` +
      `in one go, times the values: ${pair(multiply([now.weights], now.values)[0], 2)}`;
  };
}

export default live({ compute, draw, sound: makeSound });
