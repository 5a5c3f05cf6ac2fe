// What the cache holds, and what it saves.
import { surface, svgNode, update } from "../kit/draw.js";

/** Whole numbers with commas, as in 12,345. */
export function grouped(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Milliseconds, as exactly as a browser's clock tells them. */
export const milliseconds = (ms) => (ms < 0.01 ? "under 0.01 ms" : `${ms.toFixed(ms < 1 ? 2 : 1)} ms`);

/** Three bars: what is kept, and the multiplications and the time for one more word. */
export function makeCosts() {
  const svg = surface(340, 132);
  const rows = ["Cache", "Next word, with the cache", "Next word, without"].map((name, r) => {
    const y = 14 + 44 * r, text = svgNode("text", { x: 340, y, "text-anchor": "end", class: "aw-small" });
    const bar = svgNode("rect", { x: 0, y: y + 6, height: 12, class: r ? "aw-bar" : "aw-kept" });
    svg.append(svgNode("text", { x: 0, y, class: "aw-small" }, name), text, bar);
    return { text, bar };
  });
  const set = (n, bytes, few, many, ms) => {
    // One word is read in the mean of the times; without the cache, all are read again.
    const took = ["", milliseconds(ms / n), milliseconds(ms)];
    const most = Math.max(many, 1), texts = [`${n} words, ${grouped(bytes)} bytes`, grouped(few), grouped(many)];
    const widths = [(340 * n) / 120, (340 * few) / most, (340 * many) / most];
    rows.forEach(({ text, bar }, r) => {
      text.textContent = texts[r] + (r ? ` ×, ${took[r]}` : "");
      update(bar, { width: Math.max(widths[r], 1).toFixed(1) });
    });
  };
  return { svg, set };
}
