// Beside lesson 14: one new token for each of many texts, and what the step waits for.
import { live } from "../kit/declared.js";
import { htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";
import { show } from "../kit/read.js";

const WIDTH = 320, STEP = 42;
const COLORS = ["--query", "--key", "--weights"];

/** Every number of the figure, from what the controls say. */
export function compute({ texts, tokens, bits, balance }, { sizes: [matrices, layers, kvHeads, dModel, headDim] }) {
  const numbers = 2 * layers * kvHeads * headDim * tokens, pairs = 2 * layers * dModel * tokens;
  const weights = 2 * matrices, caches = (texts * numbers * bits) / 8, multiplications = texts * (matrices + pairs);
  const per_byte = multiplications / (weights + caches), took = multiplications / balance;
  return { weights, caches, multiplications, per_byte, each: (weights + caches) / texts, took,
    waits: per_byte < balance ? "memory" : "multiplications", lengths: [weights, caches, took],
    case: per_byte < 10 ? "few" : "many" };
}

function makeBars(names) {
  const svg = surface(WIDTH, STEP * names.length + 4);
  const rows = names.map((name, i) => {
    const text = svgNode("text", { x: 0, y: STEP * i + 14 });
    const bar = svgNode("rect", { x: 0, y: STEP * i + 20, height: 14, rx: 2, style: `fill: var(${COLORS[i]})` });
    svg.append(text, bar);
    return { text, bar };
  });
  const set = (lengths, said) => rows.forEach(({ text, bar }, i) => {
    update(bar, { width: Math.max(1, (WIDTH * lengths[i]) / Math.max(...lengths)) });
    retell(text, `${names[i]}: ${said[i]}`);
  });
  return { svg, set };
}

function draw({ el, data: { parts } }) {
  const heading = htmlNode("div", { className: "aw-heading" }), bars = makeBars(parts);
  el.append(heading, bars.svg);
  return ({ lengths, took }, state, { summary, tables }) => {
    const [weights, caches] = tables[0].cells[0];
    bars.set(lengths, [weights, caches, `as long as reading ${show(took, "G")}`]);
    retell(heading, summary);
  };
}

export default live({ compute, draw });
