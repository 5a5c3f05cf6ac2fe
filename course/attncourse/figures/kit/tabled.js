// A figure of few states: their numbers lie in its data, and are drawn by what they are.
import { draggable } from "./drag.js";
import { htmlNode, surface, svgNode, tint, update } from "./draw.js";
import { show } from "./read.js";

const ACROSS = 344, LETTER = 7, APART = 15, TOP = 22, PLOT = 128, RIGHT = 8;

/** Every number of the figure: what holds in all states, and what in this one. */
export function lookedUp(state, { axes, same, apart, drawings }) {
  const at = axes.reduce((place, [name, values]) => place * values.length + values.indexOf(state[name]), 0);
  const now = { ...same, ...Object.fromEntries(Object.entries(apart).map(([key, column]) => [key, column[at]])) };
  for (const { listed = [], columns } of drawings) {
    for (const key of listed) now[`${key} by row`] = now[key].map((row) => now[columns].filter((_, j) => row[j]));
  }
  return now;
}

const word = (text, x, y, kind = "", anchor = "start") => svgNode("text", { x, y, class: kind, "text-anchor": anchor }, text);

/** A bar for each name. */
function makeBars({ names, values, form, half, before, lit, limit, most, letters }, start) {
  const left = Math.min(letters * LETTER + 8, 150), long = ACROSS - left - 62, step = 26;
  const svg = surface(ACROSS, start[names].length * step + 4, "aw-tabled"), to = (value) => (long * value) / (most || 1);
  const rows = start[names].map((_, i) => {
    const y = i * step + 3, name = word("", 0, y + 15), told = word("", 0, y + 15);
    const was = svgNode("rect", { x: left, y, height: 20, class: "aw-behind" }), bar = svgNode("rect", { x: left, y: y + 4, height: 12 });
    const spread = svgNode("path", { class: "aw-needed" });
    svg.append(name, ...(before ? [was] : []), bar, spread, told);
    return { name, told, was, bar, spread, y };
  });
  svg.append(svgNode("path", { class: "aw-axis", d: `M${left} 0V${start[names].length * step}` }));
  if (limit !== undefined) svg.append(svgNode("path", { class: "aw-axis aw-dotted", d: `M${left + to(limit)} 0V${start[names].length * step}` }));
  return { svg, set: (now) => rows.forEach(({ name, told, was, bar, spread, y }, i) => {
    const value = now[values][i], off = half ? now[half][i] : 0, behind = before ? now[before][i] : 0;
    name.textContent = now[names][i];
    told.textContent = show(value, form);
    update(bar, { width: to(value), class: lit && now[lit] === i ? "aw-lit" : "aw-bar" });
    update(was, { width: to(behind) });
    update(spread, { d: off ? `M${left + to(Math.max(value - off, 0))} ${y + 10}H${left + to(value + off)}` : "" });
    update(told, { x: left + to(Math.max(value + off, behind)) + 6 });
  }) };
}

/** Numbers moved apart as little as that takes, none beyond most. */
function spreadOut(heights, most) {
  const found = [...heights], order = heights.map((_, i) => i).sort((i, j) => heights[i] - heights[j]);
  order.forEach((i, k) => { if (k) found[i] = Math.max(found[i], found[order[k - 1]] + APART); });
  const over = Math.max(...found) - most;
  return over > 0 ? found.map((y) => y - over) : found;
}

/** Lines over the same numbers, and where the state is on each. */
function makeCurves({ x, across, lines, at, moves, form, form_x: formX, log = "", even, range, ticks = [], limit }, start, { axes, put }) {
  const names = Object.keys(lines), side = names.length > 1 ? Math.max(...names.map((name) => name.length)) * LETTER + 12 : RIGHT;
  const way = (axis) => (log.includes(axis) ? Math.log : (v) => v), [byX, byY] = [way("x"), way("y")];
  const along = start[x].map((v, i) => (even ? i : byX(v))), [low, high] = range.map(byY), left = Math.max(46, ...range.map((v) => show(v, form).length * LETTER + 6)), long = ACROSS - left - side, foot = PLOT + TOP;
  const toX = (i) => left + (long * (along[i] - along[0])) / (along.at(-1) - along[0]);
  const toY = (v) => foot - (PLOT * (byY(v) - low)) / (high - low);
  const svg = surface(ACROSS, foot + 36, "aw-tabled");
  svg.append(svgNode("path", { class: "aw-axis", d: `M${left} ${TOP}V${foot}H${left + long}` }));
  if (limit !== undefined) svg.append(svgNode("path", { class: "aw-axis aw-dotted", d: `M${left} ${toY(limit)}H${left + long}` }));
  for (const v of [...range, ...ticks]) svg.append(word(show(v, form), left - 5, toY(v) + 4, "aw-tick", "end"));
  for (const i of [0, along.length - 1]) svg.append(word(show(start[x][i], formX), toX(i), foot + 15, "aw-tick", i ? "end" : "middle"));
  svg.append(word(across, left + long / 2, foot + 30, "aw-tick", "middle"));
  const marks = names.map((name, k) => {
    const line = svgNode("path", { class: `aw-line aw-line-${k}` }), dot = svgNode("circle", { r: 5, class: `aw-line-${k}` });
    const end = word(names.length > 1 ? name : "", left + long + 7, 0, `aw-line-${k}`), told = word("", 0, 0, "aw-strong aw-halo", "middle");
    svg.append(line, dot, end);
    return { line, dot, end, told, key: lines[name] };
  });
  svg.append(...marks.map(({ told }) => told));
  const hold = svgNode("circle", { r: 16 });
  let here = 0, now = start;
  const place = () => [toX(here), toY(now[marks[0].key][here])];
  if (moves) {
    const values = axes.find(([name]) => name === moves)[1];
    svg.append(hold);
    draggable(svg, hold, place, ([to]) => {
      const far = along.map((_, i) => Math.abs(toX(i) - to));
      put({ [moves]: values[far.indexOf(Math.min(...far))] });
    });
  }
  return { svg, set: (numbers) => {
    [now, here] = [numbers, numbers[at]];
    const ends = spreadOut(marks.map(({ key }) => toY(now[key].at(-1))), foot);
    marks.forEach(({ line, dot, end, told, key }, k) => {
      update(line, { d: `M${now[key].map((v, i) => `${toX(i).toFixed(1)} ${toY(v).toFixed(1)}`).join("L")}` });
      update(dot, { cx: toX(here), cy: toY(now[key][here]) });
      update(end, { y: ends[k] + 4 });
      const right = here > along.length / 2, y = toY(now[key][here]);
      told.textContent = k ? "" : show(now[key][here], form);
      update(told, { x: toX(here), y: y - 10, "text-anchor": right ? "end" : "start" });
    });
    const [cx, cy] = place();
    update(hold, { cx, cy });
  } };
}

/** A cell for each row and column. */
function makeGrid({ rows, columns, cells, form, lit, most, letters }, start) {
  const left = Math.min(letters * LETTER + 8, 140), n = start[columns].length, size = Math.min((ACROSS - left) / n, form ? 48 : 26);
  const high = Math.min(size, 26), svg = surface(ACROSS, 20 + high * start[rows].length, "aw-tabled aw-grid");
  const heads = start[columns].map((_, j) => word("", left + (j + 0.5) * size, 13, "aw-small", "middle"));
  const sides = start[rows].map((_, i) => word("", left - 6, 20 + i * high + high / 2 + 4, "aw-small", "end"));
  svg.append(...heads, ...sides);
  const boxes = start[rows].map((_, i) => start[columns].map((_one, j) => {
    const y = 20 + i * high, box = svgNode("rect", { x: left + j * size + 1, y: y + 1, width: size - 2, height: high - 2, rx: 2 });
    const text = word("", left + (j + 0.5) * size, y + high / 2 + 4, "aw-small", "middle");
    svg.append(box, ...(form ? [text] : []));
    return { box, text };
  }));
  return { svg, set: (now) => {
    heads.forEach((node, j) => { node.textContent = now[columns][j]; });
    sides.forEach((node, i) => { node.textContent = now[rows][i]; });
    boxes.forEach((row, i) => row.forEach(({ box, text }, j) => {
      const value = now[cells][i][j], share = Number(value) / most;
      update(box, { class: lit && now[lit][i][j] ? "aw-cell aw-lit" : "aw-cell", "fill-opacity": form ? tint(share) : share.toFixed(2) });
      text.textContent = form ? show(value, form) : "";
    }));
  } };
}

/** Every drawing of the figure, one beside another, and its summary. */
export function drawLookedUp({ el, data, start, put }) {
  const kinds = { bars: makeBars, curves: makeCurves, grid: makeGrid };
  const made = data.drawings.map((one) => kinds[one.kind](one, start, { axes: data.axes, put }));
  const told = htmlNode("p", { className: "aw-hint" });
  el.append(htmlNode("div", { className: "aw-columns" }, ...made.map(({ svg }, i) =>
    htmlNode("div", {}, htmlNode("div", { className: "aw-caption", textContent: data.drawings[i].caption }), svg))), told);
  return (now, _, { summary }) => {
    for (const one of made) one.set(now);
    told.textContent = summary;
  };
}
