// Letters in the picture, and where they stand.
import { svgNode } from "../kit/draw.js";

export const LETTER = 6.1; // the width of a letter of a name, about

/** Append children to a node, and return it. */
export function holding(node, ...children) {
  node.append(...children);
  return node;
}

/** A text that is seen and not heard: headers say it. */
export const writeAt = (x, y, text, kind, anchor = "middle") =>
  svgNode("text", { x, y, class: kind, "text-anchor": anchor, "aria-hidden": true }, text);

/** A name such as W^Q with its raised letter, and a number below the line. */
export function nameNode([stem, raised, below], place, kind) {
  const node = writeAt(...place.slice(0, 2), stem, kind, place[2]);
  if (raised) node.append(svgNode("tspan", { dy: -5, "font-size": 11.5 }, raised));
  if (below) node.append(svgNode("tspan", { dy: raised ? 9 : 4, "font-size": 11.5 }, below));
  return node;
}

/** Where a matrix's own name stands: beside it, above it and its names, or at its corner. */
export function titlePlace(one, lift, wide, stem) {
  const long = stem.length > 2;
  const middle = one.x + wide / 2;
  if (one.title === "side" && long) return [Math.max(2, one.x - 8 - 8 * stem.length), one.y - 8, "start"];
  return { side: [one.x - 8, one.y - 8, "end"], corner: [one.x - 8, one.y - 10, "end"],
    above: [middle, one.y - 7 - lift, "middle"] }[one.title];
}

/** How the names of columns are set, and how far they lift what stands above them: on one
 *  line; on two, where names have two words or are too long to stand side by side; slanted,
 *  where there are many. */
export function namesLook(one, names) {
  if (one.names.indexOf("c") < 0) return { lift: 0 };
  const long = names.slice(0, -1).some((name) => LETTER * name.length > one.width + 6);
  if (long && names.length > 2 && one.width < 46) {
    const slant = one.width < 30 ? 60 : 45, most = Math.max(...names.map((name) => name.length));
    return { slant, lift: 14 + LETTER * most * Math.sin((slant * Math.PI) / 180) };
  }
  if (names.some((name) => name.includes(" "))) return { split: true, lift: 30 };
  return long ? { stagger: true, lift: 30 } : { lift: 18 };
}

/** The names of a matrix's columns. */
export function columnNames(one, names, look, kind) {
  return names.flatMap((name, j) => {
    const x = one.x + (j + 0.5) * one.width, y = one.y - 6, last = j === names.length - 1;
    if (look.slant) return [svgNode("text", { transform: `translate(${x} ${y}) rotate(-${look.slant})`, class: kind, "aria-hidden": true }, name)];
    if (look.split) return name.split(" ").reverse().map((word, line) => writeAt(x, y - 12 * line, word, kind));
    if (look.stagger) return [writeAt(x, y - 12 * (j % 2), name, kind)];
    const long = last && LETTER * name.length > one.width; // it begins where its column does
    return [long ? writeAt(one.x + j * one.width + 1, y, name, kind, "start") : writeAt(x, y, name, kind)];
  });
}

/** A path along corners, rounded, with an arrow at its end: it goes down, left, down. */
export function wirePath(corners) {
  const [[x, y], ...rest] = corners, [right, foot] = corners.at(-1), arrow = `V${foot}l-4 -6m4 6l4 -6`;
  if (rest.length === 1) return `M${x} ${y}${arrow}`;
  const lane = rest[0][1];
  return `M${x} ${y}V${lane - 8}Q${x} ${lane} ${x - 8} ${lane}H${right + 8}Q${right} ${lane} ${right} ${lane + 8}${arrow}`;
}
