// Lesson 4: drag three scores along the exponential; their heights make the shares.
import { softmax } from "../kit/maths.js";
import { fixed, htmlNode, readable, redrawOn, surface } from "../kit/draw.js";
import { draggable, ghosts, snap, write } from "../kit/drag.js";
import { LEFT, N, RIGHT, SHARES, THICK, across, heightOf, scoreAt, strip } from "./curve.js";
import { makeBar, makeFrame, makeHeight, makeTable } from "./parts.js";

const TRAITS = ["score_1", "score_2", "score_3", "added", "temperature"];

/** Every number of the figure, from what the controls say. */
export function shares(scores, added, temperature) {
  const tempered = scores.map((s) => (s + added) / temperature);
  return { tempered, exponentials: tempered.map(Math.exp), weights: softmax(tempered) };
}

/** The score that a tip asks for at this place, with what was added taken off. */
export function wanted(x, added) {
  return snap(scoreAt(x) - added, -4, 4, 0.1);
}

/** The two halves of the goal: has every score changed, and is every share as it was? */
export function goal(start, now) {
  const apart = (a, b, least) => a.map((x, j) => Math.abs(x - b[j]) >= least);
  return [apart(start.scores, now.scores, 0.15).every(Boolean),
    !apart(start.weights, now.weights, 0.0005).some(Boolean)];
}

/** Why the first weight is so many times the second: what is told below the figure. */
export function told(words, scores, temperature, weights) {
  const lead = fixed(scores[0] - scores[1], 1), times = readable(weights[0] / weights[1]);
  const cold = temperature === 1 ? "" : ` ÷ ${fixed(temperature)}`;
  return `${words[0]} leads ${words[1]} by ${lead}. Its share is e to the power of ` +
    `${lead}${cold}, or ${times} times as large.`;
}

function render({ model, el }) {
  const words = model.get("words"), keep = ghosts(), svg = surface(340, SHARES + THICK + 4);
  const frame = makeFrame(svg), heights = words.map((_, j) => makeHeight(svg, j));
  const bars = [...words, "all"].map((name, j) => makeBar(svg, name, j)), table = makeTable(words);
  for (const { dot, hold } of heights) svg.append(dot, hold);
  const parts = ["every score changed", "every share as it was"].map((text) => htmlNode("li", { textContent: text }));
  const target = htmlNode("div", { className: "aw-goal" }, "Goal: ", htmlNode("ul", {}, ...parts));
  const note = htmlNode("p", { className: "aw-hint" });
  note.setAttribute("aria-live", "polite");
  el.classList.add("aw-view", "aw-softmax");
  el.append(target, htmlNode("div", { className: "aw-columns" }, svg, htmlNode("div", {}, table.node, note)));

  const read = () => TRAITS.map((trait) => model.get(trait));
  const state = () => {
    const [one, two, three, added, temperature] = read(), scores = [one, two, three];
    return { scores: scores.map((s) => s + added), added, temperature, ...shares(scores, added, temperature) };
  };
  const start = state();
  let met = false;
  words.forEach((_, j) => {
    const here = () => [across(model.get(TRAITS[j]) + model.get("added")), 0];
    const move = ([x]) => write(model, { [TRAITS[j]]: wanted(x, model.get("added")) });
    for (const { hold } of [bars[j], heights[j]]) draggable(svg, hold, here, move);
  });
  draggable(svg, bars[N].hold, () => [across(model.get("added")), 0],
    ([x]) => write(model, { added: snap(scoreAt(x), -2, 2, 0.1) }));

  return redrawOn(model, TRAITS, () => {
    const now = state(), { scores, temperature, weights } = now, top = Math.max(...scores);
    const segments = strip(weights, RIGHT - LEFT);
    const grown = now.exponentials.map((e, j) => e / start.exponentials[j]);
    frame.set(top, temperature, Math.max(...now.exponentials));
    scores.forEach((score, j) => {
      const { dot, set } = heights[j], x = across(score);
      if (dot.hasAttribute("cx") && Number(dot.getAttribute("cx")) !== x) keep(dot);
      const high = heightOf(score, top, temperature);
      set(x, high, high / grown[j], segments[j], words[j]);
      bars[j].set(x);
    });
    bars[N].set(across(now.added));
    const reached = goal(start, now);
    parts.forEach((part, i) => part.classList.toggle("aw-reached", reached[i]));
    if (!met && reached.every(Boolean)) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true }));
    met = reached.every(Boolean);
    table.set([scores.map((s) => fixed(s, 1)), now.tempered.map((s) => fixed(s)),
      now.exponentials.map(readable), grown.map((g) => `× ${readable(g)}`), weights.map((w) => fixed(w, 3))]);
    note.textContent = `${met ? "Goal reached. " : ""}${told(words, scores, temperature, weights)}`;
    svg.dataset.weights = weights.join(" "); // in full, for tests to read
    const say = (values) => values.map((v, j) => `${words[j]} ${v}`).join(", ");
    svg.speak(`Scores: ${say(scores.map((s) => fixed(s, 1)))}. ` +
      `Exponentials: ${say(now.exponentials.map(readable))}. Weights: ${say(weights.map(readable))}.`);
  });
}

export default { render };
