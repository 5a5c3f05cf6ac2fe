// Lesson 4: drag the bars of three scores; their exponentials and shares follow.
import { softmax } from "../kit/maths.js";
import { fixed, htmlNode, readable, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { draggable, ghosts, retell, snap, write } from "../kit/drag.js";

const SIZE = 340, LEFT = 74, N = 3, STEP = (SIZE - LEFT) / N, WIDE = 38;
const TOP = 6, UNIT = 9, MOST = 8; // scores from −8 to 8 with what is added to them
const HOME = TOP + MOST * UNIT, FOOT = TOP + 2 * MOST * UNIT;
const POWERS = FOOT + 34, SHARES = FOOT + 50, THICK = 30;
const TRAITS = ["score_1", "score_2", "score_3", "added", "temperature"];

/** Every number of the figure, from what the controls say. */
export function shares(scores, added, temperature) {
  const tempered = scores.map((s) => (s + added) / temperature);
  return { tempered, exponentials: tempered.map(Math.exp), weights: softmax(tempered) };
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

/** The score that a bar's tip asks for at this height, with what was added taken off. */
export function scoreAt(y, added) {
  return snap((HOME - y) / UNIT - added, -5, 5, 0.1);
}

/** What the handle that moves all bars adds to them at this height. */
export function addedAt(y) {
  return snap((HOME - y) / UNIT, -3, 3, 0.1);
}

/** Why the first weight is so many times the second: what is told below the figure. */
export function told(words, scores, temperature, weights) {
  const lead = fixed(scores[0] - scores[1], 1), times = readable(weights[0] / weights[1]);
  const cold = temperature === 1 ? "" : ` ÷ ${fixed(temperature)}`;
  return `${words[0]} leads ${words[1]} by ${lead}. Its share is e to the power of ` +
    `${lead}${cold}, or ${times} times as large.`;
}

function label(svg, x, y, text, anchor = "start", name = "aw-tick") {
  const node = svgNode("text", { x, y, "text-anchor": anchor, class: name }, text);
  svg.append(node);
  return node;
}

/** One word: a bar with a tip to hold, its exponential, its part of the strip. */
function makeWord(svg, word, j) {
  const middle = LEFT + (j + 0.5) * STEP;
  const bar = svgNode("rect", { class: "aw-score", x: middle - WIDE / 2, width: WIDE });
  const tip = svgNode("rect", { class: "aw-tip", x: middle - WIDE / 2, width: WIDE, height: 5, rx: 2.5 });
  const share = svgNode("rect", { class: "aw-bar", y: SHARES, height: THICK, rx: 2 });
  share.style.fillOpacity = [0.55, 0.36, 0.18][j];
  svg.append(bar, tip, share);
  label(svg, middle, FOOT + 14, word, "middle", "aw-strong");
  const score = label(svg, middle + WIDE / 2 + 4, 0, "", "start", "aw-small");
  const power = label(svg, middle, POWERS, "", "middle", "aw-small");
  const weight = label(svg, middle, SHARES + THICK + 16, "", "middle", "aw-strong");
  const inside = label(svg, 0, SHARES + 20, "", "middle", "aw-small");
  const hold = svgNode("rect", { x: middle - STEP / 2 + 4, width: STEP - 8, height: 36 });
  svg.append(hold);
  return { middle, bar, tip, share, score, power, weight, inside, hold };
}

function render({ model, el }) {
  const words = model.get("words"), keep = ghosts();
  const svg = surface(SIZE, SHARES + THICK + 24);
  svg.append(svgNode("path", { class: "aw-axis", d: `M${LEFT} ${HOME}H${SIZE}` }));
  label(svg, 0, TOP + 8, "score");
  label(svg, 0, POWERS, "exponential");
  label(svg, 0, SHARES + 20, "share");
  label(svg, 0, SHARES + THICK + 16, "weight");
  const parts = words.map((word, j) => makeWord(svg, word, j));
  const all = { tip: svgNode("rect", { class: "aw-tip", x: 34, width: 26, height: 5, rx: 2.5 }),
    name: label(svg, 28, 0, "all", "end"), hold: svgNode("rect", { x: 0, width: 66, height: 32 }) };
  svg.append(all.tip, all.hold);
  const note = htmlNode("p", { className: "aw-hint" });
  el.classList.add("aw-view", "aw-softmax");
  el.append(svg, note);

  const read = () => TRAITS.map((trait) => model.get(trait));
  const place = (score, added) => HOME - (score + added) * UNIT;
  parts.forEach(({ hold, middle }, j) => draggable(svg, hold,
    () => [middle, place(model.get(TRAITS[j]), model.get("added"))],
    ([, y]) => write(model, { [TRAITS[j]]: scoreAt(y, model.get("added")) })));

  draggable(svg, all.hold, () => [47, place(0, model.get("added"))],
    ([, y]) => write(model, { added: addedAt(y) }));

  return redrawOn(model, TRAITS, () => {
    const [one, two, three, added, temperature] = read(), scores = [one, two, three];
    const now = shares(scores, added, temperature), segments = strip(now.weights, SIZE - LEFT);
    parts.forEach((part, j) => {
      const y = place(scores[j], added), { x, width } = segments[j];
      if (part.bar.hasAttribute("y") && Number(part.tip.getAttribute("y")) !== y - 2.5) keep(part.bar);
      update(part.bar, { y: Math.min(y, HOME), height: Math.abs(y - HOME) });
      update(part.tip, { y: y - 2.5 });
      update(part.hold, { y: y - 18 });
      update(part.score, { y: y + 4 });
      part.score.textContent = fixed(scores[j] + added, 1);
      retell(part.power, readable(now.exponentials[j]));
      retell(part.weight, readable(now.weights[j]));
      update(part.share, { x: LEFT + x, width: Math.max(width - 1.5, 0) });
      update(part.inside, { x: LEFT + x + width / 2 });
      part.inside.textContent = width > 40 ? words[j] : "";
    });
    const level = place(0, added);
    update(all.tip, { y: level - 2.5 });
    update(all.name, { y: level + 4 });
    update(all.hold, { y: level - 16 });
    note.textContent = told(words, scores, temperature, now.weights);
    svg.dataset.weights = now.weights.join(" "); // in full, for tests to read
    const say = (values) => values.map((v, j) => `${words[j]} ${v}`).join(", ");
    svg.speak(`Scores: ${say(scores.map((s) => fixed(s + added, 1)))}. ` +
      `Exponentials: ${say(now.exponentials.map(readable))}. Weights: ${say(now.weights.map(readable))}.`);
  });
}

export default { render };
