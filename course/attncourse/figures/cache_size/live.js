// Lesson 14: how many bytes a cache takes, by heads, tokens and window.
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const WIDTH = 320, LEFT = 8, ROOM = WIDTH - 2 * LEFT;

/** Tokens kept, bytes for each, bytes in all, and bytes with every head and token. */
export function cacheSize(tokens, heads, window, { layers, queryHeads, headDim, bytes }) {
  const kept = Math.min(tokens, window || tokens), one = 2 * layers * headDim * bytes;
  return { kept, perToken: one * heads, total: kept * one * heads, full: tokens * one * queryHeads };
}

/** A count of bytes in GiB, MiB or KiB, three digits. */
export function readableBytes(count) {
  const [unit, name] = count >= 2 ** 30 ? [2 ** 30, "GiB"] : count >= 2 ** 20 ? [2 ** 20, "MiB"] : [2 ** 10, "KiB"];
  return `${Number((count / unit).toPrecision(3))} ${name}`;
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
    const reach = window ? `a window of ${window.toLocaleString("en")}` : "no window";
    retell(texts[0], `all heads, all tokens: ${readableBytes(full)}`);
    retell(texts[1], `${heads} × ${kept.toLocaleString("en")} tokens, ${reach}: ${readableBytes(total)}`);
  };
  return { svg, set };
}

function render({ model, el }) {
  const sizes = model.get("sizes"), heads = makeHeads(sizes.queryHeads), bars = makeBars();
  const heading = htmlNode("div", { className: "aw-heading" });
  el.classList.add("aw-view");
  el.append(heading, htmlNode("div", { className: "aw-columns" }, heads.svg, bars.svg));
  heads.svg.removeAttribute("role");
  heads.svg.setAttribute("aria-hidden", "true");
  return redrawOn(model, ["tokens", "heads", "window"], () => {
    const count = model.get("head_counts")[model.get("heads")];
    const tokens = model.get("token_counts")[model.get("tokens")];
    const now = cacheSize(tokens, count, model.get("windows")[model.get("window")], sizes);
    heads.set(count);
    bars.set(now, count, model.get("windows")[model.get("window")]);
    const share = now.full / now.total;
    heading.textContent = `${readableBytes(now.total)}: ${share === 1 ? "nothing saved" : `${fixed(share, share < 10 ? 1 : 0)} times less`}`;
    bars.svg.speak(`${count} heads of keys and values, ${now.kept} tokens kept: ${readableBytes(now.total)}. ` +
      `With every head and token: ${readableBytes(now.full)}.`);
  });
}

export default { render };
