// The picture: matrices of cells, their names, and the lines that join them.
import { svgNode, update } from "../kit/draw.js";
import { columnNames, holding, LETTER, nameNode, namesLook, titlePlace, wirePath, writeAt } from "./labels.js";
import { drawRamp } from "./ramp.js";

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
const header = (role, name) => svgNode("text", { role, class: "mx-header" }, name);

/** A grid for readers and screen readers: rows of cells, each with its headers. */
function makeGrid(group, matrix, [rows, columns], height, cells) {
  const heads = columns.map((name) => header("columnheader", name));
  group.append(holding(svgNode("g", { role: "row" }), header("columnheader", "row"), ...heads));
  const sides = rows.map((name, r) => {
    const side = header("rowheader", name), line = holding(svgNode("g", { role: "row" }), side);
    columns.forEach((_, c) => {
      const cell = makeCell(matrix, r, c, height);
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
    group.append(writeAt(matrix.x + wide / 2, matrix.y + high / 2 + 4, wide > 100 ? `lesson ${lesson}` : lesson, "mx-later"));
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
}

/** Column k of the left factor is row k of the top one: a bent line, with their name. */
function drawElbows(view, [left, top], product, names) {
  names.forEach((name, k) => {
    const x = left.x + (k + 0.5) * left.width, y = top.y + (k + 0.5) * view.cell, end = top.x - 11 - LETTER * name.length;
    const bend = end - x > 7 ? `V${y + 7}Q${x} ${y} ${x + 7} ${y}H${end}` : `V${y + 9}`;
    const path = svgNode("path", { d: `M${x} ${left.y - 3}${bend}`, class: "mx-elbow" });
    view.elbows.push({ path, of: product.base, k });
    view.root.append(path, writeAt(top.x - 7, y + 4, name, "mx-row mx-halo", "end"));
  });
}

/** Draw a plan. describe(matrix) says what each matrix is called; axis(base, way) gives
 *  the names along it, and far(lesson) whether a lesson is still to come. */
export function drawPlan(plan, { describe, axis, far, network }) {
  const root = svgNode("svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, role: "group" });
  const view = { ...plan, root, cells: [], elbows: [], names: [], beams: svgNode("g", { class: "mx-beams" }) };
  root.append(view.beams);
  for (const [role, lesson, corners] of plan.wires) root.append(svgNode("path", { d: wirePath(corners), class: `mx-wire mx-${role}${far(lesson) ? " mx-far" : ""}` }));
  for (const [x, y, text, lesson] of plan.words) root.append(writeAt(x, y, text, `mx-free${text === "→" ? " mx-big" : ""}${far(lesson) ? " mx-far" : ""}`));
  for (const matrix of plan.matrices) drawMatrix(view, matrix, describe(matrix));
  for (const [l, t, p, joined] of plan.products) {
    const [left, top, product] = [plan.matrices[l], plan.matrices[t], plan.matrices[p]];
    if (joined && !describe(left).far) drawElbows(view, [left, top], product, axis(left.base, 1));
  }
  view.root.setAttribute("aria-label", "Matrices. Arrow keys walk from cell to cell.");
  if (plan.ramp) view.onRamp = drawRamp(view, network);
  return view;
}
