// The picture: matrices of cells, their names and numbers, and the lines that join them.
import { fixed, svgNode, update } from "../kit/draw.js";
import { feedForward, plus } from "./maths.js";
import { inCell, largest, short, strength } from "./notation.js";

export const LETTER = 6.1; // the width of a letter of a name, about

/** Append children to a node, and return it. */
export function holding(node, ...children) {
  node.append(...children);
  return node;
}

/** A text that is seen and not heard: headers say it. */
const writeAt = (x, y, text, kind, anchor = "middle") =>
  svgNode("text", { x, y, class: kind, "text-anchor": anchor, "aria-hidden": true }, text);

/** A name such as W^Q with its raised letter, and a number below the line. */
function nameNode([stem, raised, below], place, kind) {
  const node = writeAt(...place.slice(0, 2), stem, kind, place[2]);
  if (raised) node.append(svgNode("tspan", { dy: -5, "font-size": 11.5 }, raised));
  if (below) node.append(svgNode("tspan", { dy: raised ? 9 : 4, "font-size": 11.5 }, below));
  return node;
}

/** Where a matrix's own name stands: beside it, above it and its names, or at its corner. */
function titlePlace(one, lift, wide, stem) {
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

/** Where the last name begins, if it is too long for its column: further left only as far as
 *  the name before it lets it. */
function lastFrom(one, names) {
  const j = names.length - 1, before = j ? one.x + (j - 0.5) * one.width + LETTER * names[j - 1].length / 2 + 5 : -Infinity;
  return Math.max(before, one.x + names.length * one.width - LETTER * names[j].length);
}

/** The names of a matrix's columns. */
function columnNames(one, names, look, kind) {
  return names.flatMap((name, j) => {
    const x = one.x + (j + 0.5) * one.width, y = one.y - 6, last = j === names.length - 1;
    if (look.slant) return [svgNode("text", { transform: `translate(${x} ${y}) rotate(-${look.slant})`, class: kind, "aria-hidden": true }, name)];
    if (look.split) return name.split(" ").reverse().map((word, line) => writeAt(x, y - 12 * line, word, kind));
    if (look.stagger) return [writeAt(x, y - 12 * (j % 2), name, kind)];
    const long = last && LETTER * name.length > one.width; // it begins where the name before it ends
    return [long ? writeAt(lastFrom(one, names), y, name, kind, "start") : writeAt(x, y, name, kind)];
  });
}

/** One cell: a rectangle and its number. */
function makeCell(matrix, r, c, height) {
  const rect = svgNode("rect", { x: 1, y: 1, width: matrix.width - 2, height: height - 2, rx: 3 });
  const text = svgNode("text", { x: matrix.width / 2, y: height / 2 + 4.5, "text-anchor": "middle" });
  const x = matrix.x + c * matrix.width, y = matrix.y + r * height;
  const node = holding(svgNode("g", { class: "mx-cell", transform: `translate(${x} ${y})`, role: "gridcell", tabindex: -1 }), rect, text);
  const [i, j] = matrix.turned ? [c, r] : [r, c];
  return { matrix, base: matrix.base, i, j, r, c, node, rect, text, x: x + matrix.width / 2, y: y + height / 2, was: null };
}

/** A header that is heard and not seen: what is seen may stand elsewhere. */
// Screen readers count rows unless they are told what each is of.
const nameCell = ({ node, side, head }) => update(node, { "aria-rowindextext": side.textContent, "aria-colindextext": head.textContent });
const header = (role, name) => svgNode("text", { role, class: "mx-header" }, name);

/** A grid for readers and screen readers: rows of cells, each with its headers. */
function makeGrid(group, matrix, [rows, columns], height, cells) {
  const heads = columns.map((name) => header("columnheader", name));
  group.append(holding(svgNode("g", { role: "row" }), header("columnheader", "row"), ...heads));
  const sides = rows.map((name, r) => {
    const side = header("rowheader", name), line = holding(svgNode("g", { role: "row" }), side);
    columns.forEach((_, c) => {
      const cell = makeCell(matrix, r, c, height);
      nameCell(Object.assign(cell, { side, head: heads[c] }));
      cells.push(cell);
      line.append(cell.node);
    });
    group.append(line);
    return side;
  });
  return [sides, heads];
}

/** The part of a joined matrix that belongs to the head that is shown. */
function ownBox({ x, y, width, columns, rows }, [start, count], height) {
  const across = columns < rows * 2 && rows !== count * 2;
  return across ? { x: x + start * width - 1, y: y - 1, width: count * width + 2, height: rows * height + 2 }
    : { x: x - 1, y: y + start * height - 1, width: columns * width + 2, height: count * height + 2 };
}

/** Draw one matrix into a drawing; what belongs to a later lesson is a dashed outline. */
function drawMatrix(view, matrix, { title, rows, columns, kinds, role, lesson, far, given, own }) {
  const wide = matrix.columns * matrix.width, high = matrix.rows * view.cell;
  const group = svgNode("g", { class: `mx-matrix mx-${role}${given ? " mx-given" : ""}${far ? " mx-far" : ""}${matrix.width < 36 ? " mx-tight" : ""}` });
  const look = far ? { lift: 0 } : namesLook(matrix, columns);
  group.append(svgNode("rect", { x: matrix.x, y: matrix.y, width: wide, height: high, rx: 3, class: "mx-frame" }));
  view.root.append(group, nameNode(far ? title.slice(0, 2) : title, titlePlace(matrix, look.lift, wide, title[0]), `mx-name mx-${far ? "later" : role}`));
  if (far) {
    const lines = wide > 100 ? [`lesson ${lesson}`] : wide > 45 ? ["lesson", lesson] : [lesson];
    group.append(...lines.map((line, k) =>
      writeAt(matrix.x + wide / 2, matrix.y + high / 2 + 4 + 18 * (k - (lines.length - 1) / 2), line, "mx-later")));
    return;
  }
  update(group, { role: "grid", "aria-label": title.filter(Boolean).join(" ") });
  if (own) group.append(svgNode("rect", { class: "mx-own", rx: 4, ...ownBox(matrix, own, view.cell) }));
  const named = makeGrid(group, matrix, [rows, columns], view.cell, view.cells);
  if (matrix.names.includes("r")) named.push(rows.map((name, r) =>
    writeAt(matrix.x - 8, matrix.y + (r + 0.5) * view.cell + 4, name, "mx-row", "end")));
  if (matrix.names.includes("c")) named.push(columnNames(matrix, columns, look, `mx-column mx-${role}`));
  view.root.append(...named.slice(2).flat());
  named.forEach((nodes, k) => view.names.push({ nodes, kind: kinds[k < 2 ? k : matrix.names[k - 2] === "c" ? 1 : 0] }));
}

/** Write the words anew where they are names. */
export function rename(view, names) {
  for (const { nodes, kind } of view.names) if (kind === "word" || kind === "seen") {
    nodes.forEach((node, k) => node.replaceChildren(names[kind][k]));
  }
  view.cells.forEach(nameCell);
}

/** Column k of the left factor is row k of the top one: a bent line, with their name. It
 *  stops short of the names below its own, and goes on above them. */
function drawElbows(view, [left, top], product, names) {
  const middle = (k) => top.y + (k + 0.5) * view.cell, start = (k) => top.x - 11 - LETTER * names[k].length;
  names.forEach((name, k) => {
    const x = left.x + (k + 0.5) * left.width, y = middle(k), end = start(k);
    const bend = end - x > 7 ? `V${y + 7}Q${x} ${y} ${x + 7} ${y}H${end}` : `V${y + 9}`;
    const below = names.map((_, i) => i).filter((i) => i > k && x > start(i)).reverse();
    const gaps = below.map((i) => `V${middle(i) + 9}M${x} ${middle(i) - 9}`).join("");
    const path = svgNode("path", { d: `M${x} ${left.y - 3}${gaps}${bend}`, class: "mx-elbow" });
    view.elbows.push({ path, of: product.base, k });
    view.root.append(path, writeAt(top.x - 7, y + 4, name, "mx-row mx-halo", "end"));
  });
}

/** Draw a plan. describe(matrix) says what each matrix is called; axis(base, way) gives
 *  the names along it, and far(lesson) whether a lesson is still to come. */
export function drawPlan(plan, { describe, axis, far, network }) {
  const root = svgNode("svg", { viewBox: `0 ${plan.top ?? 0} ${plan.width} ${plan.height}`, role: "group" });
  const view = { ...plan, root, cells: [], elbows: [], names: [], beams: svgNode("g", { class: "mx-beams" }) };
  root.append(view.beams);
  for (const [x, y, text, lesson] of plan.words) root.append(writeAt(x, y, text, `mx-free${text === "→" ? " mx-big" : ""}${far(lesson) ? " mx-far" : ""}`));
  for (const matrix of plan.matrices) drawMatrix(view, matrix, describe(matrix));
  for (const [l, t, p, joined] of plan.products) {
    const [left, top, product] = [plan.matrices[l], plan.matrices[t], plan.matrices[p]];
    if (joined && !describe(left).far) drawElbows(view, [left, top], product, axis(left.base, 1));
  }
  view.root.setAttribute("aria-label", "Matrices. Arrow keys walk from cell to cell; S goes to what a number comes from, F to what follows from it.");
  if (plan.ramp) view.onRamp = drawRamp(view, network);
  return view;
}

const RAMP_END = 1.3; // the largest number drawn, both ways

/** What a number becomes in a row of equal ones. */
function ramped(v, network) {
  const row = [Array(network[0].length).fill(v)];
  return plus(row, feedForward(row, network))[0][0];
}

/** Draw the ramp into its box; returns a function that shows where a number is on it. */
function drawRamp(view, network) {
  const { x, y, width, height } = view.ramp, group = svgNode("g", { class: "mx-ramp" });
  const at = (v, w) => [x + (width * v) / RAMP_END, y + height - (height * w) / RAMP_END];
  const points = Array.from({ length: 66 }, (_, k) => at((k * RAMP_END) / 65, ramped((k * RAMP_END) / 65, network)).join(","));
  const write = (left, top, text, anchor) => svgNode("text", { x: left, y: top, "text-anchor": anchor, class: "mx-column" }, text);
  const dot = svgNode("circle", { r: 5, class: "mx-dot" }), lines = svgNode("path", { class: "mx-elbow" });
  group.append(svgNode("path", { class: "mx-axes", d: `M${x} ${y}V${y + height}H${x + width}` }), lines,
    svgNode("polyline", { class: "mx-curve", points: points.join(" ") }), dot,
    write(x + width, y + height + 26, "X + update →", "end"), write(x - 4, y - 6, "tidied ↑", "start"));
  for (const v of [0.4, 0.6, 1]) group.append(write(at(v, 0)[0], y + height + 13, fixed(v, v < 1 ? 1 : 0), "middle"));
  for (const v of [0, 1]) group.append(write(x - 6, at(0, v)[1] + 4, fixed(v, 0), "end"));
  view.root.append(group);
  return (v) => {
    const shown = v !== undefined && v >= 0 && v <= RAMP_END, [left, top] = at(v ?? 0, shown ? ramped(v, network) : 0);
    dot.setAttribute("visibility", shown ? "visible" : "hidden");
    lines.setAttribute("visibility", shown ? "visible" : "hidden");
    update(dot, { cx: left, cy: top });
    update(lines, { d: `M${left} ${y + height}V${top}H${x}` });
  };
}

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
