// Lesson 4: drag three scores along the exponential; their heights make the shares.
import { fixed, readable, svgNode, update, htmlNode, surface } from "../kit/draw.js";
import { softmax } from "../kit/maths.js";
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { draggable, ghosts, retell } from "../kit/drag.js";
import { makeSound } from "../kit/sound.js";

// The picture of lesson 4: a score is a length, its exponential a height on one curve.

export const N = 3, LEFT = 46, RIGHT = 334, EDGE = 6.4; // scores from −6.4 to 6.4 with what is added
export const UNIT = (RIGHT - LEFT) / (2 * EDGE), HOME = (LEFT + RIGHT) / 2;
export const TOP = 22, TALL = 130, FLOOR = TOP + TALL, ROWS = FLOOR + 36, ROW = 28; // of 24 pixels on a phone
export const SHARES = ROWS + (N + 1) * ROW + 6, THICK = 30;
const STEPS = 120;

/** Where a score stands across the picture, and the score at such a place. */
export const across = (score) => HOME + score * UNIT;
export const scoreAt = (x) => (x - HOME) / UNIT;

/** How high e to the power of score ÷ T stands: the largest of the row reaches the top. */
export function heightOf(score, top, temperature) {
  return TALL * Math.exp((score - top) / temperature);
}

/** The outline of a height that was, open at the top where it leaves the picture. */
export function outline(x, high) {
  const top = Math.max(FLOOR - high, TOP - 7), end = high > FLOOR - TOP + 7 ? `M${x + 9} ${top}V` : `H${x + 9}V`;
  return `M${x - 9} ${FLOOR}V${top.toFixed(1)}${end}${FLOOR}`;
}

/** The curve as a path, from the left edge until it leaves the picture at the top. */
export function curve(top, temperature) {
  const end = Math.min(EDGE, top + temperature * Math.log((FLOOR - 4) / TALL));
  const points = Array.from({ length: STEPS + 1 }, (_, i) => {
    const score = end - (1 - i / STEPS) * (end + EDGE);
    return `${across(score).toFixed(1)} ${(FLOOR - heightOf(score, top, temperature)).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
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

// The pieces that lesson 4's picture is drawn from.

function label(svg, x, y, text, anchor = "start", name = "aw-tick") {
  const node = svgNode("text", { x, y, "text-anchor": anchor, class: name }, text);
  svg.append(node);
  return node;
}

/** One row: a bar from 0 to the score, with a tip to hold. */
export function makeBar(svg, name, j) {
  const y = ROWS + j * ROW, bar = svgNode("rect", { class: "aw-score", y: y - 6, height: 12 });
  const tip = svgNode("rect", { class: "aw-tip", y: y - 9, width: 6, height: 18, rx: 3 });
  label(svg, LEFT - 8, y + 4, name, "end", j < N ? "aw-strong" : "aw-tick");
  const hold = svgNode("rect", { y: y - ROW / 2, width: 44, height: ROW });
  svg.append(bar, tip, hold);
  const set = (x) => {
    update(bar, { x: Math.min(x, HOME), width: Math.abs(x - HOME) });
    update(tip, { x: x - 3 });
    update(hold, { x: x - 22 });
  };
  return { hold, tip, set };
}

/** One word above the axis: its height under the curve, with a dot to hold; its share. */
export function makeHeight(svg, j) {
  const link = svgNode("path", { class: "aw-link" }), stem = svgNode("rect", { class: "aw-bar", width: 12 });
  const was = svgNode("path", { class: "aw-began" });
  const share = svgNode("rect", { class: "aw-bar", y: SHARES, height: THICK, rx: 2 });
  for (const node of [stem, share]) node.style.fillOpacity = [0.38, 0.24, 0.12][j];
  const dot = svgNode("circle", { r: 5.5, class: "aw-dot" }), hold = svgNode("circle", { r: 17 });
  svg.append(link, stem, was, share);
  const inside = label(svg, 0, SHARES + 20, "", "middle", "aw-small");
  const set = (x, high, before, segment, word) => {
    update(was, { d: Math.abs(high - before) < 0.5 ? "" : outline(x, before) });
    update(link, { d: `M${x} ${ROWS + j * ROW}V${FLOOR}` });
    update(stem, { x: x - 6, y: FLOOR - high, height: high });
    for (const node of [dot, hold]) update(node, { cx: x, cy: FLOOR - high });
    update(share, { x: LEFT + segment.x, width: Math.max(segment.width - 1.5, 0) });
    update(inside, { x: LEFT + segment.x + segment.width / 2 });
    inside.textContent = segment.width > 7 * word.length + 6 ? word : "";
  };
  return { dot, hold, stem, set };
}

/** The axis, its ticks, the curve; the largest exponential and 1 at their heights. */
export function makeFrame(svg) {
  const line = svgNode("path", { class: "aw-curve" }), one = svgNode("path", { class: "aw-level" });
  svg.append(one, svgNode("path", { class: "aw-axis", d: `M${LEFT} ${FLOOR}H${RIGHT}M${HOME} ${FLOOR}V${ROWS + N * ROW + 8}` }), line);
  for (const tick of [-6, -4, -2, 0, 2, 4, 6]) label(svg, across(tick), FLOOR + 14, fixed(tick, 0), "middle");
  label(svg, LEFT, TOP - 11, "height: e to the score ÷ T", "start", "aw-tick aw-halo");
  label(svg, 0, SHARES + 20, "shares");
  const largest = label(svg, LEFT - 4, TOP + 4, "", "end"), name = label(svg, LEFT - 4, 0, "1", "end");
  const set = (top, temperature, exponential) => {
    const y = FLOOR - heightOf(0, top, temperature), seen = y > TOP + 14 && y < FLOOR - 3;
    update(line, { d: curve(top, temperature) });
    update(one, { d: seen ? `M${LEFT} ${y.toFixed(1)}H${RIGHT}` : "" });
    update(name, { y: y + 4, visibility: seen ? "visible" : "hidden" });
    largest.textContent = readable(exponential);
  };
  return { set };
}

/** By what a height has grown; a dash where it is as it was. */
export const times = (factor) => (readable(factor) === readable(1) ? "–" : `× ${readable(factor)}`);

/** Every number of the figure, from what the controls say. */
export function compute({ scores, added, temperature }) {
  const moved = scores.map((s) => s + added), tempered = moved.map((s) => s / temperature);
  const weights = softmax(tempered);
  return { moved, scores: tempered, exponentials: tempered.map(Math.exp), weights,
    lead: moved[0] - moved[1], times: weights[0] / weights[1], case: temperature === 1 ? "plain" : "tempered" };
}

/** The two halves of the goal: has every score changed, and is every share as it was? */
export function goal(now, _, start) {
  const apart = (a, b, least) => a.map((x, j) => Math.abs(x - b[j]) >= least);
  return [apart(start.moved, now.moved, 0.05).every(Boolean),
    !apart(start.weights, now.weights, 0.0005).some(Boolean)];
}

function draw({ el, data: { words }, start, state, put, tables: [table] }) {
  const keep = ghosts(), svg = surface(340, SHARES + THICK + 4);
  const frame = makeFrame(svg), heights = words.map((_, j) => makeHeight(svg, j));
  const bars = [...words, "all"].map((name, j) => makeBar(svg, name, j));
  for (const { dot, hold } of heights) svg.append(dot, hold);
  const parts = ["every score changed", "every share as it was"].map((text) => htmlNode("li", { textContent: text }));
  const target = htmlNode("div", { className: "aw-goal" }, "Goal: ", htmlNode("ul", {}, ...parts));
  const note = htmlNode("p", { className: "aw-hint" });
  const grown = words.map(() => htmlNode("td")); // a row more: it knows how the figure began
  const row = htmlNode("tr", {}, htmlNode("th", { scope: "row", textContent: "factor" }), ...grown);
  el.append(target, htmlNode("div", { className: "aw-columns" }, svg, htmlNode("div", {}, table.node, note)));
  words.forEach((_, j) => {
    const here = () => [across(state().scores[j] + state().added), 0];
    const move = ([x]) => put({ scores: state().scores.map((s, i) => (i === j ? scoreAt(x) - state().added : s)) });
    for (const { hold } of [bars[j], heights[j]]) draggable(svg, hold, here, move);
  });
  draggable(svg, bars[N].hold, () => [across(state().added), 0], ([x]) => put({ added: scoreAt(x) }));

  return (now, { added, temperature }, { summary }, reached) => {
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
    grown.forEach((cell, j) => retell(cell, times(now.exponentials[j] / start.exponentials[j])));
    row.style.visibility = grown.some((cell) => cell.textContent !== "–") ? "" : "hidden";
    parts.forEach((part, i) => part.classList.toggle("aw-reached", reached[i]));
    note.textContent = `${reached.every(Boolean) ? "Goal reached. " : ""}${summary}`;
  };
}

export default live({ compute, draw, sound: makeSound, task: challenge(goal) });
