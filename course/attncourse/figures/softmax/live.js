// Lesson 4: drag three scores along the exponential; their heights make the shares.
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { htmlNode, readable, surface } from "../kit/draw.js";
import { draggable, ghosts, retell } from "../kit/drag.js";
import { makeSound } from "../kit/sound.js";
import { LEFT, N, RIGHT, SHARES, THICK, across, heightOf, scoreAt, strip } from "./curve.js";
import { makeBar, makeFrame, makeHeight } from "./parts.js";

/** Every number of the figure, from what the controls say. */
export function compute({ scores, added, temperature }) {
  const moved = scores.map((s) => s + added), tempered = moved.map((s) => s / temperature);
  const weights = softmax(tempered);
  return { moved, scores: tempered, exponentials: tempered.map(Math.exp), weights,
    lead: moved[0] - moved[1], times: weights[0] / weights[1], case: temperature === 1 ? "plain" : "tempered" };
}

/** The two halves of the goal: has every score changed, and is every share as it was? */
export function goal(start, now) {
  const apart = (a, b, least) => a.map((x, j) => Math.abs(x - b[j]) >= least);
  return [apart(start.moved, now.moved, 0.15).every(Boolean),
    !apart(start.weights, now.weights, 0.0005).some(Boolean)];
}

function draw({ el, data: { words }, start, state, put, tables: [table], met }) {
  const keep = ghosts(), svg = surface(340, SHARES + THICK + 4);
  const frame = makeFrame(svg), heights = words.map((_, j) => makeHeight(svg, j));
  const bars = [...words, "all"].map((name, j) => makeBar(svg, name, j));
  for (const { dot, hold } of heights) svg.append(dot, hold);
  const parts = ["every score changed", "every share as it was"].map((text) => htmlNode("li", { textContent: text }));
  const target = htmlNode("div", { className: "aw-goal" }, "Goal: ", htmlNode("ul", {}, ...parts));
  const note = htmlNode("p", { className: "aw-hint" });
  const grown = words.map(() => htmlNode("td")); // a row more: it knows how the figure began
  const row = htmlNode("tr", {}, htmlNode("th", { scope: "row", textContent: "× at first" }), ...grown);
  el.append(target, htmlNode("div", { className: "aw-columns" }, svg, htmlNode("div", {}, table.node, note)));
  words.forEach((_, j) => {
    const here = () => [across(state().scores[j] + state().added), 0];
    const move = ([x]) => put({ scores: state().scores.map((s, i) => (i === j ? scoreAt(x) - state().added : s)) });
    for (const { hold } of [bars[j], heights[j]]) draggable(svg, hold, here, move);
  });
  draggable(svg, bars[N].hold, () => [across(state().added), 0], ([x]) => put({ added: scoreAt(x) }));

  return (now, { added, temperature }, { summary }) => {
    const top = Math.max(...now.moved), segments = strip(now.weights, RIGHT - LEFT);
    frame.set(top, temperature, Math.max(...now.exponentials));
    now.moved.forEach((score, j) => {
      const { dot, set } = heights[j], x = across(score), high = heightOf(score, top, temperature);
      if (dot.hasAttribute("cx") && Number(dot.getAttribute("cx")) !== x) keep(dot);
      set(x, high, (high * start.exponentials[j]) / now.exponentials[j], segments[j], words[j]);
      bars[j].set(x);
    });
    bars[N].set(across(added));
    if (!row.parentNode) table.node.tBodies[0].lastElementChild.before(row);
    grown.forEach((cell, j) => retell(cell, `× ${readable(now.exponentials[j] / start.exponentials[j])}`));
    const reached = goal(start, now);
    parts.forEach((part, i) => part.classList.toggle("aw-reached", reached[i]));
    met(reached.every(Boolean));
    note.textContent = `${reached.every(Boolean) ? "Goal reached. " : ""}${summary}`;
  };
}

export default live({ compute, draw, sound: makeSound });
