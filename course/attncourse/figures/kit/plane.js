// The plane, a square piece of it, and arrows and stars in it.
import { fixed, surface, svgNode, update } from "./draw.js";

/** The plane from −most to most both ways, with its axes; at([x, y]) is a place in it. */
export function plane(most, size = 320) {
  const svg = surface(size, size), unit = size / (2 * most), middle = size / 2;
  const at = ([x, y]) => [middle + x * unit, middle - y * unit];
  const axes = `M0 ${middle}H${size}M${middle} 0V${size}`;
  svg.append(svgNode("path", { class: "aw-axis", d: axes }));
  for (let i = Math.ceil(1 - most); i < most; i += 1) {
    if (i === 0) continue;
    const [x, y] = at([i, i]), text = fixed(i, 0);
    const low = { x, y: middle + 13, "text-anchor": "middle", class: "aw-tick" };
    const side = { x: middle + 5, y: y + 4, class: "aw-tick" };
    svg.append(svgNode("text", low, text), svgNode("text", side, text));
  }
  return { svg, at, unit };
}

/** A square piece of the plane, low to high both ways: its axes, marks at some ticks, and
 *  names for across and up. at([x, y]) is a place in the drawing; from(place) undoes it. */
export function square(low, high, { ticks = [], names = ["", ""], size = 320 } = {}) {
  const svg = surface(size, size), unit = size / (high - low);
  const at = ([x, y]) => [(x - low) * unit, (high - y) * unit];
  const from = ([left, top]) => [left / unit + low, high - top / unit];
  const [x0, y0] = at([0, 0]), write = (x, y, anchor, text) =>
    svg.append(svgNode("text", { x, y, "text-anchor": anchor, class: "aw-tick" }, text));
  svg.append(svgNode("path", { class: "aw-axis", d: `M0 ${y0}H${size}M${x0} 0V${size}` }));
  for (const tick of ticks) {
    const [x, y] = at([tick, tick]);
    write(x, y0 + 17, "middle", fixed(tick, 0));
    write(x0 - 5, y + 4, "end", fixed(tick, 0));
  }
  write(size, y0 - 5, "end", names[0]);
  write(x0 + 6, 10, "start", names[1]);
  return { svg, at, from };
}

/** The corners of a five-pointed star around a place. */
export function star([x, y], radius) {
  return Array.from({ length: 10 }, (_, i) => {
    const turn = (Math.PI / 5) * i - Math.PI / 2, r = i % 2 ? radius * 0.45 : radius;
    return `${(x + r * Math.cos(turn)).toFixed(2)},${(y + r * Math.sin(turn)).toFixed(2)}`;
  }).join(" ");
}

/** Where the name of an arrow stands: past its tip, clear of the axes' ticks, inside. One
 *  of length 0 has its name below the ticks of the axis, where no other arrow's name is. */
function beside([x, y], turn, size, none, flat) {
  if (none) return { x: x - 10, y: y + 32, "text-anchor": "end" };
  const lift = Math.sin(turn) > 0 ? 15 : flat, across = Math.cos(turn);
  if (Math.abs(Math.sin(turn)) < 0.4) {
    return { x: Math.min(Math.max(x, 28), size - 28), y: y + lift, "text-anchor": "middle" };
  }
  if (Math.abs(across) < 0.4) return { x: x - 8, y: y + 4, "text-anchor": "end" };
  const room = across > 0 ? x < size - 60 : x > 60;
  return { x: room ? x + 7 * Math.sign(across) : x, y: y + (room ? lift / 2 : lift),
    "text-anchor": room === across > 0 ? "start" : "end" };
}

/** An arrow from the plane's origin with a name at its tip; set(vector) moves it.
 *  Where arrows share a tip, the second one's name goes a line
 *  down, and so on; up, near the foot of the plane and above an arrow that lies flat. flat is
 *  how far below the tip of such an arrow its name stands. */
export function arrow({ svg, at }, name, className = "", flat = -9) {
  const path = svgNode("path", { class: "aw-arrow" }), text = svgNode("text", {}, name);
  const node = svgNode("g", { class: className });
  node.append(path, text);
  svg.append(node);
  const set = (vector, line = 0) => {
    const [ox, oy] = at([0, 0]), [x, y] = at(vector), turn = Math.atan2(y - oy, x - ox);
    const barb = (side) => `${x - 9 * Math.cos(turn + side)} ${y - 9 * Math.sin(turn + side)}`;
    const head = vector.some((v) => v) ? `M${barb(0.45)}L${x} ${y}L${barb(-0.45)}` : "";
    update(path, { d: `M${ox} ${oy}L${x} ${y}${head}` });
    const size = Number(svg.getAttribute("viewBox").split(" ")[2]);
    const place = beside([x, y], turn, size, !head, flat);
    const above = place["text-anchor"] === "middle" && place.y < y;
    update(text, { ...place, y: place.y + (above || y > size - 50 ? -14 : 14) * line });
  };
  return { node, set };
}
