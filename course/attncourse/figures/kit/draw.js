// Small helpers to draw SVG and HTML. Nothing here knows about attention.

import { speakOf } from "./voice.js";

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and, if given, text. */
export function svgNode(name, attributes = {}, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** An HTML element with properties and children. */
export function htmlNode(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

const LEGIBLE = 11.1; // pixels of the screen: no letter is smaller

/** A drawing surface that scales to its container; speak() says what it shows, and after a
 *  control was moved, what changed. However small it gets, its letters stay legible: the
 *  style sheet reads --least. */
export function surface(width, height, className = "") {
  const svg = svgNode("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute("class", `aw-svg ${className}`);
  svg.speak = (words) => speakOf(svg, words);
  new ResizeObserver(([{ contentRect: box }]) => {
    const scale = Math.min(box.width / width, box.height / height);
    if (scale > 0) svg.style.setProperty("--least", `${(LEGIBLE / scale).toFixed(2)}px`);
  }).observe(svg);
  return svg;
}

/** Set several attributes at once. */
export function update(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
}

/** A number with a fixed count of decimals and a true minus sign. */
export function fixed(x, decimals = 2) {
  const text = x.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** A number near 1 in four digits; one too large or small for that with a power of ten. */
export function readable(x) {
  const [digits, power] = x.toExponential(1).split("e").map(Number);
  if (Math.abs(power) <= 3) return fixed(x, Math.min(3 - power, 3));
  const raised = [...String(power)].map((d) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(d)]);
  return `${fixed(digits, 1)}×10${raised.join("")}`;
}

/** Call redraw now and whenever one of the model's traits changes; returns a stop. */
export function redrawOn(model, traits, redraw) {
  const events = traits.map((trait) => `change:${trait}`);
  for (const event of events) model.on(event, redraw);
  redraw();
  return () => {
    for (const event of events) model.off(event, redraw);
  };
}

/** How strong a cell of a number's share of the largest is: letters on it stay legible. */
export const tint = (share) => (0.38 * (Math.min(Math.max(share, 0), 1) || 0)).toFixed(3);

/** A table of numbers: a row for each query, a column for each key.
 *  set(matrix, most) fills it; the nearer a number is to most, the stronger its cell.
 *  Signed, numbers below 0 are colored too, in a color of their own. */
export function heatmap(rows, columns, options = {}) {
  const { digits = 2, size = 320, left = 62, signed = false } = options;
  const width = (size - left) / columns.length, height = Math.min(width, 36), top = 22;
  const svg = surface(size, top + height * rows.length, `aw-heatmap${signed ? " aw-signed" : ""}`);
  const middle = (j) => left + (j + 0.5) * width;
  columns.forEach((name, j) => {
    const place = { x: middle(j), y: top - 8, "text-anchor": "middle", class: "aw-of-key" };
    const tight = 6.8 * `${name}`.length > width - 6; // two long names would touch
    svg.append(svgNode("text", { ...place, ...(tight && { style: "font-size:max(10.5px, var(--least, 0px))" }) }, name));
  });
  const cells = rows.map((name, i) => {
    const y = top + i * height, foot = y + height / 2 + 4;
    const place = { x: left - 6, y: foot, "text-anchor": "end", class: "aw-of-query" };
    svg.append(svgNode("text", place, name));
    return columns.map((_, j) => {
      const box = { x: left + j * width + 1, y: y + 1, width: width - 2, height: height - 2 };
      const fill = svgNode("rect", { ...box, rx: 2, class: "aw-cell" });
      const text = svgNode("text", { x: middle(j), y: foot, "text-anchor": "middle" });
      svg.append(fill, text);
      return { fill, text, box };
    });
  });
  const set = (matrix, most = 1) => cells.forEach((row, i) => row.forEach((cell, j) => {
    const share = (signed ? Math.abs(matrix[i][j]) : matrix[i][j]) / most;
    update(cell.fill, { "fill-opacity": tint(share) });
    if (signed) cell.fill.classList.toggle("aw-below", matrix[i][j] < 0);
    cell.text.textContent = fixed(matrix[i][j], digits);
  }));
  return { svg, set, cells };
}

/** A table with room for the most rows and columns, named [name, class]. `cell` is a cell's
 *  [width, height], foot its number's height above its top. set(numbers, differs) shows as many
 *  rows and columns as there are; `write` writes a number. */
export function roomyTable(title, rows, columns, { left, cell: [wide, high], foot, anchor = "middle", kind, write = fixed }) {
  const top = 40, svg = surface(left + columns.length * wide + 2, top + rows.length * high + 2, kind);
  const text = (x, y, className, words, at = "middle") => svgNode("text", { x, y, class: className, "text-anchor": at }, words);
  const heads = columns.map(([name, of], j) => text(left + (j + 0.5) * wide, top - 7, of, name));
  const names = rows.map(([name, of], i) => text(left - (anchor === "end" ? 8 : 13), top + i * high + foot, of, name, anchor));
  const cells = names.map((_, i) => heads.map((__, j) => {
    const box = { x: left + j * wide + 1, y: top + i * high + 1, width: wide - 2, height: high - 2, rx: 3 };
    const node = svgNode("g"), fill = svgNode("rect", { ...box, class: "aw-cell" });
    const number = text(left + (j + 0.5) * wide, top + i * high + foot, "aw-number", "");
    node.append(svgNode("rect", { ...box, class: "aw-base" }), fill, number);
    return { node, fill, number };
  }));
  svg.append(text(left, 14, "aw-title", title, "start"), ...heads, ...names, ...cells.flat().map(({ node }) => node));
  const set = (numbers, differs = () => false) => {
    const gone = (node, yes) => node.classList.toggle("aw-gone", yes);
    names.forEach((node, i) => gone(node, i >= numbers.length));
    heads.forEach((node, j) => gone(node, j >= numbers[0].length));
    cells.forEach((row, i) => row.forEach(({ node, fill, number }, j) => {
      const x = numbers[i]?.[j];
      gone(node, x === undefined);
      if (x === undefined) return;
      update(fill, { "fill-opacity": tint(x) });
      number.textContent = write(x);
      node.classList.toggle("aw-differs", differs(i, j));
    }));
  };
  return { svg, set };
}
