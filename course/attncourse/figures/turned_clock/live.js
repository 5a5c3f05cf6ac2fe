// Lesson 7: turn one clock, and see how well it matches that of each word.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { fixed, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";
import { dot, positionalEncoding } from "../kit/maths.js";

const WIDTH = 344, LARGE = 40, CX = 84, TOP = 46, SMALL = 22, FIRST = 136, ROW = 54, LEFT = 124, FULL = 170, MOST = 2;

/** Every number of the figure, from what the controls say. */
export function compute({ steps }, { words, clocks, asks, speeds, equal }) {
  const asked = positionalEncoding(asks + steps, clocks[0].length, 10000), matches = clocks.map((clock) => dot(clock, asked));
  const [fast, slow] = speeds.map((speed) => words.map((_, i) => speed * Math.abs(i - asks - steps)));
  const top = Math.max(...matches), best = words.filter((_, i) => matches[i] > top - equal).join(" and ");
  const how = `${Math.abs(steps)} ${Math.abs(steps) === 1 ? "step" : "steps"} ${steps < 0 ? "back" : "ahead"}`;
  return { asked, fast, slow, matches, best, top, turned: steps ? `turned ${how}` : "not turned" };
}

const word = (text, x, y, kind = "", anchor = "start") => svgNode("text", { x, y, class: kind, "text-anchor": anchor }, text);
const tip = (angle, r) => `${(r * Math.sin(angle)).toFixed(2)} ${(-r * Math.cos(angle)).toFixed(2)}`;

/** A slice of a face of radius r between two angles less than half a turn apart. */
const slice = (from, to, r) => `M0 0L${tip(from, r)}A${r} ${r} 0 0 ${to > from ? 1 : 0} ${tip(to, r)}Z`;

/** A clock's two hands, the fast one long and the slow one short: set(its four columns). */
function makeHands(node, r, kind) {
  const hands = [[0.94 * r, ""], [0.55 * r, "aw-short"]].map(([long, size]) => [svgNode("path", { class: `aw-hand ${kind} ${size}` }), long]);
  node.append(...hands.map(([hand]) => hand).reverse());
  return (clock) => hands.forEach(([hand, long], i) => {
    const [x, y] = clock.slice(2 * i, 2 * i + 2).map((v) => (long * v).toFixed(2));
    update(hand, { d: `M0 0L${x} ${-y}` });
  });
}

/** A face at a height, and the slice on it that says how far hands are apart. */
function makeFace(svg, cy, r) {
  const node = svgNode("g", { transform: `translate(${CX} ${cy})` }), between = svgNode("path", { class: "aw-between" });
  node.append(svgNode("circle", { r, class: "aw-axis" }), between);
  svg.append(node);
  return { node, set: (from, to) => update(between, { d: slice(from, to, 0.7 * r) }) };
}

/** A row: a word, its own clock with the turned fast hand dashed, and a bar for the match. */
function makeRow(svg, name, i, clock) {
  const cy = FIRST + i * ROW, face = makeFace(svg, cy, SMALL);
  makeHands(face.node, SMALL, "aw-own")(clock);
  const setAsked = makeHands(face.node, SMALL, "aw-asks aw-beside");
  const called = word(name, 0, cy), told = word("", LEFT + FULL + 8, cy + 5), box = { x: LEFT, y: cy - 8, height: 16 };
  const bar = svgNode("rect", { ...box, class: "aw-bar" });
  svg.append(called, word(`position ${i}`, 0, cy + 15, "aw-tick"), svgNode("rect", { ...box, width: FULL, class: "aw-full" }), bar, told);
  return (asked, from, match, isBest) => {
    face.set(i, from);
    setAsked(asked);
    update(bar, { width: (FULL * Math.max(match, 0)) / MOST });
    retell(told, fixed(match));
    for (const one of [called, told]) one.classList.toggle("aw-strong", isBest);
  };
}

function draw({ el, data: { words, clocks, asks, equal } }) {
  const svg = surface(WIDTH, FIRST + words.length * ROW - 20, "aw-turned"), face = makeFace(svg, TOP, LARGE), turned = word("", LEFT + 14, TOP - 5, "aw-strong");
  const setAsked = makeHands(face.node, LARGE, "aw-asks");
  svg.append(word("the clock of “ate”:", LEFT + 14, TOP - 24), turned, word("long: fast hand; short: slow", LEFT + 14, TOP + 15, "aw-tick"),
    word("dashed in each clock below", LEFT + 14, TOP + 32, "aw-tick"),
    word(`match (at most ${MOST})`, LEFT, FIRST - 26, "aw-tick"));
  const rows = words.map((name, i) => makeRow(svg, name, i, clocks[i]));
  el.append(svg);
  return (now, { steps }) => {
    face.set(asks, asks + steps);
    setAsked(now.asked);
    retell(turned, now.turned);
    rows.forEach((set, i) => set(now.asked, asks + steps, now.matches[i], now.matches[i] > now.top - equal));
  };
}

export const goal = (_, { steps }) => steps === -1;

export default live({ compute, draw, task: challenge(goal) });
