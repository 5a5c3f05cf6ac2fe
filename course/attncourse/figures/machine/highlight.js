// The highlight: the row and the column that meet in a cell.
import { svgNode } from "../kit/draw.js";
import { pairsOf } from "./sums.js";

/** Which cells a cell is made of, or goes into: [base, row or null, column or null]. */
function sourcesOf({ base, i, j }, factors, now) {
  if (base === "S") return [["Q", i, null], ["K", j, null]];
  if (base === "D") return [["S", i, j]];
  if (base === "A") return [["D", i, null]];
  if (base === "Y") return [["X", i, j], ["U", i, j]];
  if (base === "N") return [["Y", i, j]];
  if (base === "X" && now.P) return [["E", i, j], ["P", i, j]];
  if (base === "E" || base === "P") return [["X", i, j]];
  if (base === "X" || base === "R") return ["Q", "K", "V"].filter((one) => factors[one][0] === base).map((one) => [`W${one}`, j, null]);
  if (/^W[QKV]$/.test(base)) return [[factors[base[1]][0], null, i], [base[1], null, j]];
  if (!factors[base]) return [];
  const [left, top] = factors[base];
  return [[left, i, null], [top, null, j]];
}

/** Whether a cell counts: its factor of the sum is not 0. */
function counts(cell, at, terms, now, factors) {
  if (terms) return terms[cell.base === factors[at.base][0] || at.base === "S" ? cell.j : cell.i];
  return "XR".includes(at.base) && cell.base.startsWith("W") && now[cell.base][cell.i][cell.j] * now[at.base][at.i][at.j];
}

/** The cell to which S leads from this one, the largest of its sources, or F, the largest of
 *  what follows from it; none if there is none. */
export function kinOf(cells, at, onward, { now, factors, isGiven, own }) {
  const of = (made, one) => !isGiven(made) && (made.base === "C" ? [["O", made.i, made.j - own]] : sourcesOf(made, factors, now)).some(([base, i, j]) =>
    one.base === base && (i === null || one.i === i) && (j === null || one.j === j));
  const size = ({ base, i, j }) => (Number.isFinite(now[base][i][j]) ? Math.abs(now[base][i][j]) : 0);
  const terms = !onward && factors[at.base] && pairsOf(at, now, factors).map(([x, y]) => Math.abs(x * y));
  const weight = (one) => (terms ? (one.base === factors[at.base][0] ? terms[one.j] : -1)
    : size(one) + (!onward && at.base === "A" && one.j === at.j ? 1e6 : 0));
  const found = cells.filter((one) => (onward ? of(one, at) : of(at, one)));
  return found.filter(({ base }) => !onward || base === found[0].base).sort((a, b) => weight(b) - weight(a))[0];
}

/** Light what a cell is made of; returns what to darken again. */
export function highlight(view, at, { now, factors, roles }) {
  const from = sourcesOf(at, factors, now), lit = [];
  const terms = factors[at.base] && pairsOf(at, now, factors).map(([x, y]) => x * y);
  const mark = (node, kind) => { node.classList.add(kind); lit.push([node, kind]); };
  for (const cell of view.cells) {
    if (cell.base === at.base && cell.i === at.i && cell.j === at.j) mark(cell.node, "mx-here");
    else if (from.some(([base, i, j]) => cell.base === base && (i === null || cell.i === i) && (j === null || cell.j === j))) {
      mark(cell.node, "mx-lit");
      if (counts(cell, at, terms, now, factors)) mark(cell.node, "mx-hit");
    }
  }
  for (const { path, of, k } of view.elbows) if (of === at.base ? terms[k] : factors[of]?.[0] === at.base && "QK".includes(of) && k === at.j) mark(path, "mx-hit");
  view.beams.replaceChildren(...beamsOf(view, at).map(([base, box]) => svgNode("rect", { class: `mx-${roles[base]}`, rx: 4, ...box })));
  return () => lit.forEach(([node, kind]) => node.classList.remove(kind));
}

/** The two bars of color that cross in a cell, as [base, box]. */
function beamsOf(view, at) {
  return view.products.filter(([, , p]) => view.matrices[p].base === at.base).flatMap(([l, t, p]) => {
    const [left, top, product] = [view.matrices[l], view.matrices[t], view.matrices[p]];
    const x = product.x + at.j * product.width, y = product.y + at.i * view.cell, from = Math.min(left.x, product.x);
    const right = t === -1 ? product.x + product.columns * product.width : x + product.width;
    const column = (upper) => ({ x, y: upper, width: product.width, height: y + view.cell - upper });
    if (t === -2 && left.x === product.x) return [[left.base, column(left.y + at.i * view.cell)]];
    if (t === -1 && left.x === product.x) return [[left.base, { x: from, y: left.y + at.i * view.cell, width: right - from, height: view.cell }], [product.base, { x: from, y, width: right - from, height: view.cell }]];
    const row = [left.base, { x: from, y, width: right - from, height: view.cell }];
    return top ? [row, [top.base, column(top.y)]] : [row];
  });
}
