// Beside lesson 14: one new token for each of many texts, and what the step waits for.
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const WIDTH = 320, STEP = 42, NAMES = ["Read the weights", "Read the caches", "Multiply"];
const COLORS = ["--query", "--key", "--weights"];

/** Bytes of weights and of caches, and multiplications, of a step for so many texts. */
export function stepOf(texts, tokens, bits, { weights, layers, kvHeads, dModel, headDim }) {
  const numbers = 2 * layers * kvHeads * headDim * tokens, pairs = 2 * layers * dModel * tokens;
  return { weights: 2 * weights, caches: (texts * numbers * bits) / 8, multiplications: texts * (weights + pairs) };
}

/** A count of bytes in GB, three digits. */
const gigabytes = (count) => `${Number((count / 1e9).toPrecision(3)).toLocaleString("en")} GB`;

function makeBars() {
  const svg = surface(WIDTH, STEP * NAMES.length + 4);
  const rows = NAMES.map((name, i) => {
    const text = svgNode("text", { x: 0, y: STEP * i + 14 });
    const bar = svgNode("rect", { x: 0, y: STEP * i + 20, height: 14, rx: 2, style: `fill: var(${COLORS[i]})` });
    svg.append(text, bar);
    return { text, bar };
  });
  const set = (lengths, said) => rows.forEach(({ text, bar }, i) => {
    update(bar, { width: Math.max(1, (WIDTH * lengths[i]) / Math.max(...lengths)) });
    retell(text, `${NAMES[i]}: ${said[i]}`);
  });
  return { svg, set };
}

function render({ model, el }) {
  const heading = htmlNode("div", { className: "aw-heading" }), bars = makeBars();
  el.classList.add("aw-view", "aw-readers");
  el.append(heading, bars.svg);
  const pick = (list, trait) => model.get(list)[model.get(trait)];
  return redrawOn(model, ["texts", "tokens", "bits", "balance"], () => {
    const texts = pick("text_counts", "texts"), balance = model.get("balance");
    const now = stepOf(texts, pick("token_counts", "tokens"), pick("bit_counts", "bits"), model.get("sizes"));
    const bytes = now.weights + now.caches, each = now.multiplications / bytes, waits = each < balance;
    const took = now.multiplications / balance;
    bars.set([now.weights, now.caches, took],
      [gigabytes(now.weights), gigabytes(now.caches), `as long as reading ${gigabytes(took)}`]);
    retell(heading, `${fixed(each, each < 10 ? 1 : 0)} multiplications per byte: the step waits for ` +
      `${waits ? "memory" : "multiplications"}. ${gigabytes(bytes / texts)} read for each token.`);
    bars.svg.speak(heading.textContent);
  });
}

export default { render };
