// The numbers, their colors, and the sum in words.
import { htmlNode } from "../kit/draw.js";
import { inCell, largest, short, strength } from "./numbers.js";

/** Write the numbers into the cells that changed. Where a step in milliseconds is given,
 *  changes arrive in the order in which they are computed. Returns a stop. */
export function paint(view, now, { depth, step = 0, quiet = false }) {
  const most = {}, waves = [], timers = [];
  for (const cell of view.cells) {
    const v = now[cell.base][cell.i][cell.j], top = (most[cell.base] ??= largest(now[cell.base]));
    const share = Number.isFinite(v) ? Math.abs(v) / top : 0, key = `${short(v)} ${share.toFixed(2)}`;
    if (key !== cell.was) (waves[depth(cell.base)] ??= []).push({ cell, v, share, key });
  }
  const still = !step || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  waves.forEach((wave, k) => {
    const apply = () => wave.forEach((change) => paintCell(change, quiet));
    if (still || !k) apply();
    else timers.push(setTimeout(apply, k * step));
  });
  return () => timers.forEach(clearTimeout);
}

function paintCell({ cell, v, share, key }, quiet) {
  const { node, matrix } = cell, opacity = strength(share), shown = inCell(v, matrix.width), kinds = node.classList;
  const fresh = !quiet && cell.text.textContent !== shown;
  cell.was = key;
  cell.text.textContent = shown;
  node.setAttribute("aria-label", shown);
  cell.rect.style.fillOpacity = opacity.toFixed(3);
  kinds.toggle("mx-long", shown.length > (matrix.width < 24 ? 2 : 3) && matrix.width < 34);
  kinds.toggle("mx-zero", shown === "0");
  kinds.toggle("mx-covered", v === -Infinity);
  kinds.toggle("mx-on", opacity > 0.7);
  kinds.toggle("mx-low", share < 0.25);
  if (!fresh) return;
  cell.flip = !cell.flip; // two names for one animation, so that it starts again
  kinds.toggle("mx-new", cell.flip);
  kinds.toggle("mx-anew", !cell.flip);
}

/** The pieces of a sum as nodes: each in its color, and raised where it is. */
export function sumNodes(pieces) {
  return pieces.flatMap(([text, role = ""]) => {
    const [color, raised] = role === "raised" ? ["", true] : [role.split(" ")[0], role.endsWith("raised")];
    const node = color ? htmlNode("b", { className: `mx-${color}`, textContent: text }) : document.createTextNode(text);
    if (!raised) return [node];
    const sup = htmlNode("sup", color ? { className: `mx-${color}` } : {}, color ? htmlNode("b", { textContent: text }) : text);
    return [htmlNode("span", { className: "mx-out", textContent: "^" }), sup];
  });
}
