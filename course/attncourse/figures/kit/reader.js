// "Read this figure": a figure's words and tables, to be walked from the whole to one number.
import { htmlNode } from "./draw.js";
import { retell } from "./drag.js";
import { related } from "./read.js";
import { announce } from "./voice.js";

const WALKS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const HOW_TO_WALK = "Enter goes in, Escape out; arrow keys walk";
const HOW_TO_FOLLOW = "; S goes to what a number comes from, F to what follows from it";
const HOW_TO_MOVE = ". Where a text says move, choose or press, arrow keys and Enter do it, or a slider does.";

/** One table. set({ caption, rows, columns, cells }) fills it; a change of names builds it anew. */
export function makeTable(className = "aw-steps") {
  const node = htmlNode("table", { className }), made = { node, caption: null, cells: [] };
  let shape = "";
  const build = ({ rows, columns }) => {
    const head = (scope) => htmlNode("th", { scope });
    made.caption = htmlNode("caption");
    made.cells = [[htmlNode("td"), ...columns.map(() => head("col"))],
      ...rows.map(() => [head("row"), ...columns.map(() => htmlNode("td"))])];
    const [first, ...rest] = made.cells.map((row) => htmlNode("tr", {}, ...row));
    node.replaceChildren(made.caption, htmlNode("thead", {}, first), htmlNode("tbody", {}, ...rest));
  };
  made.set = ({ caption, rows, columns, cells }) => {
    const now = `${rows.length} ${columns.length}`;
    if (now !== shape) build({ rows, columns });
    shape = now;
    made.caption.textContent = caption;
    const texts = [["", ...columns], ...rows.map((name, i) => [name, ...cells[i]])];
    texts.forEach((row, i) => row.forEach((text, j) => {
      if (i && j) retell(made.cells[i][j], text);
      else made.cells[i][j].textContent = text;
    }));
  };
  return made;
}

/** Where a key leads from a place: [] is the whole, [t] a table, [t, row], [t, row, column].
 *  shape lists rows and columns of each table; null: out of the figure. */
export function stepped(place, key, shape) {
  const within = (k, n) => Math.min(Math.max(k, 0), n - 1), [t, i, j] = place;
  if (key === "Escape") return place.length ? place.slice(0, -1) : null;
  if (key === "Enter") return place.length < 3 ? [...place, 0] : place;
  if (key === "Home" || key === "End") {
    const end = key === "End" ? Infinity : 0;
    return place.length < 3 ? place : [t, i, within(end, shape[t][1])];
  }
  if (!WALKS[key] || !place.length) return place;
  const [down, right] = WALKS[key];
  if (place.length === 1) return [within(t + (down || right), shape.length)];
  const row = within(i + down, shape[t][0]);
  if (place.length === 2) return right > 0 ? [t, row, 0] : [t, row];
  return j + right < 0 ? [t, row] : [t, row, within(j + right, shape[t][1])];
}

/** The button under a figure and what it opens. flip(control, cell) flips a cell. */
export function reader(el, spec, flip) {
  const button = htmlNode("button", { type: "button", className: "aw-read-button", textContent: "Read this figure" });
  const summary = htmlNode("p"), tables = spec.tables.map(() => makeTable("aw-steps aw-walked"));
  const follows = spec.tables.some(({ source, lines = [] }) => source || lines.some((line) => line.source));
  const flips = spec.tables.filter((one) => one.flip).map((one) => ` Space: ${one.flip}.`);
  const whole = htmlNode("div", { className: "aw-whole", tabIndex: -1 }, summary, htmlNode("p", { className: "aw-hint", textContent: [HOW_TO_WALK, follows ? HOW_TO_FOLLOW : "", HOW_TO_MOVE, ...flips].join("") }));
  const inside = htmlNode("div", { hidden: true, className: "aw-reading" }, whole, ...tables.map(({ node }) => node));
  button.setAttribute("aria-label", `Read this figure: ${spec.title}`);
  for (const one of [whole, inside]) one.setAttribute("role", "group");
  inside.setAttribute("aria-label", spec.title);
  el.append(button, inside);
  let now = null, place = [], stale = true;
  const nodeAt = ([t, i, j]) => (t === undefined ? whole : i === undefined ? tables[t].node : tables[t].cells[i + 1][j === undefined ? 0 : j + 1]);
  const listed = ({ columns, cells }, i) => columns.filter((_, j) => cells[i][j]).map((name) => `${name} ${cells[i][columns.indexOf(name)]}`).join(", ");
  const show = () => {
    stale = true;
    if (inside.hidden) return;
    stale = false;
    summary.textContent = now.summary;
    whole.setAttribute("aria-label", now.summary);
    tables.forEach((table, t) => {
      const { caption, rows, columns, cells } = now.tables[t];
      table.set(now.tables[t]);
      for (const one of [table.node, ...table.cells.flat().slice(1)]) one.tabIndex = -1;
      table.node.setAttribute("role", "grid");
      table.node.setAttribute("aria-label", `${caption}, ${rows.length} ${rows.length > 1 ? "rows" : "row"}`);
      rows.forEach((name, i) => {
        table.cells[i + 1][0].setAttribute("aria-label", `${name}: ${listed(now.tables[t], i)}`);
        columns.forEach((column, j) => table.cells[i + 1][j + 1].setAttribute("aria-label", `${name}, ${column}: ${cells[i][j] || "nothing"}`));
      });
    });
    if (!nodeAt(place)) place = place.slice(0, 1); // the table has fewer rows now
    nodeAt(place).tabIndex = 0;
  };
  const go = (to) => {
    nodeAt(place).tabIndex = -1;
    place = to;
    const node = nodeAt(place);
    node.tabIndex = 0;
    node.focus();
    node.scrollIntoView({ block: "nearest" });
  };
  const open = (yes) => {
    inside.hidden = !yes;
    button.setAttribute("aria-expanded", yes);
    if (yes) show();
  };
  const follow = (onward) => {
    const to = place.length === 3 && related(spec.tables, place, onward);
    if (to) return go(to);
    announce(onward ? "Nothing here follows from it." : "It comes from nothing shown here.");
  };
  button.addEventListener("click", () => {
    open(inside.hidden);
    if (!inside.hidden) go([]);
  });
  whole.addEventListener("click", ({ detail }) => detail || go([0])); // a screen reader's Enter
  inside.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [t, i, j] = place, { flips: control } = spec.tables[t ?? 0];
    const shape = now.tables.map(({ rows, columns }) => [rows.length, columns.length]);
    if (/^[sf]$/i.test(key)) follow(/f/i.test(key));
    else if (key === " " && control && place.length === 3) flip(control, i * shape[t][1] + j);
    else {
      const to = stepped(place, key, shape);
      if (to === place) return;
      if (to) go(to);
      else {
        open(false);
        button.focus();
      }
    }
    event.preventDefault();
  });
  open(false);
  return (description) => {
    now = description;
    show();
  };
}
