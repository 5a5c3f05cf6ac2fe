// Lesson 14: how many bytes a cache takes, by heads, tokens and window.
import { live } from "../kit/declared.js";
import { htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";
import { show } from "../kit/read.js";

const WIDTH = 320, LEFT = 8, ROOM = WIDTH - 2 * LEFT;

/** Every number of the figure, from what the controls say. */
export function compute({ tokens, heads, window }, { windows, sizes: [layers, queryHeads, headDim, bytes] }) {
  const kept = Math.min(tokens, windows[window] || tokens), one = 2 * layers * headDim * bytes;
  const total = kept * one * heads, full = tokens * one * queryHeads;
  return { kept, per_token: one * heads, total, full, times: full / total, both: [full, total],
    case: total === full ? "all" : full < 10 * total ? "less" : "far" };
}

/** Query heads in a row above the heads of keys and values that they share. */
function makeHeads(queryHeads) {
  const svg = surface(WIDTH, 92), step = ROOM / queryHeads;
  const x = (h) => LEFT + (h + 0.5) * step;
  const lines = Array.from({ length: queryHeads }, () => svgNode("path", { class: "aw-axis" }));
  const dots = Array.from({ length: queryHeads }, (_, h) =>
    svgNode("circle", { cx: x(h), cy: 24, r: 3.4, class: "aw-query-head" }));
  const boxes = Array.from({ length: queryHeads }, () =>
    svgNode("rect", { y: 62, height: 12, rx: 2, class: "aw-key-head" }));
  svg.append(...lines, ...dots, ...boxes,
    svgNode("text", { x: LEFT, y: 12, class: "aw-small" }, `${queryHeads} query heads`));
  const text = svgNode("text", { x: LEFT, y: 89, class: "aw-small" });
  svg.append(text);
  const set = (heads) => {
    const each = queryHeads / heads;
    dots.forEach((_, h) => {
      const box = Math.floor(h / each), middle = LEFT + (box + 0.5) * each * step;
      update(lines[h], { d: `M${x(h)} 28L${middle} 62` });
    });
    boxes.forEach((box, i) => update(box, i < heads
      ? { x: LEFT + i * each * step + 1, width: each * step - 2, visibility: "visible" }
      : { visibility: "hidden" }));
    text.textContent = `${heads} ${heads === 1 ? "head" : "heads"} of keys and values, ${each} query ${each === 1 ? "head" : "heads"} each`;
  };
  return { svg, set };
}

/** Two bars on one scale: everything kept, and what is kept now. */
function makeBars() {
  const svg = surface(WIDTH, 84);
  const bars = ["aw-full", "aw-bar"].map((name, i) =>
    svgNode("rect", { x: LEFT, y: 20 + 36 * i, height: 14, rx: 2, class: name }));
  const texts = [14, 50].map((y) => svgNode("text", { x: LEFT, y, class: "aw-small" }));
  svg.append(...bars, ...texts);
  const set = ({ full, total, kept }, heads, window) => {
    update(bars[0], { width: ROOM });
    update(bars[1], { width: Math.max(1, (ROOM * total) / full) });
    const reach = window === "none" ? "no window" : `a window of ${window}`;
    retell(texts[0], `all heads, all tokens: ${show(full, "B")}`);
    retell(texts[1], `${heads} × ${show(kept, ",")} tokens, ${reach}: ${show(total, "B")}`);
  };
  return { svg, set };
}

function draw({ el, data: { sizes } }) {
  const heads = makeHeads(sizes[1]), bars = makeBars(), heading = htmlNode("div", { className: "aw-heading" });
  el.append(heading, htmlNode("div", { className: "aw-columns" }, heads.svg, bars.svg));
  return (now, state, { summary }) => {
    heads.set(state.heads);
    bars.set(now, state.heads, state.window);
    heading.textContent = summary.split(": ")[1].replace(", ", ": ").slice(0, -1);
  };
}

export default live({ compute, draw });
