// What a figure says: the texts and tables of described.py, filled in by the page.
import { fixed, readable } from "./draw.js";

/** What stands at a path such as letters.-1 or words.$place. */
export function lookUp(path, scope) {
  return path.split(".").reduce((found, part) => {
    const key = part.startsWith("$") ? lookUp(part.slice(1), scope) : part;
    return Array.isArray(found) ? found.at(Number(key)) : found[key];
  }, scope);
}

const COUNTS = [[1e12, " trillion"], [1e9, " billion"], [1e6, " million"], [1, ""]];

function bytes(count) {
  const [unit, name] = count >= 2 ** 30 ? [2 ** 30, "GiB"] : count >= 2 ** 20 ? [2 ** 20, "MiB"] : [2 ** 10, "KiB"];
  return `${Number((count / unit).toPrecision(3))} ${name}`;
}

/** A value in a form, exactly as slots.py writes it. */
export function show(value, form = "") {
  if (typeof value === "string") return value;
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    const text = value.map((one) => show(one, form.replace("[", ""))).join(", ");
    return form[0] === "[" ? `[${text}]` : text;
  }
  if (form === "r") return readable(value);
  if (form === "B") return bytes(value);
  if (form === "G") return `${(value / 1e9).toLocaleString("en-US", { maximumSignificantDigits: 3 })} GB`;
  if (form === "n") {
    const [unit, name] = COUNTS.find(([least]) => value >= least);
    return `${(value / unit).toLocaleString("en-US", { maximumSignificantDigits: 4 })}${name}`;
  }
  if (form === ",") return value.toLocaleString("en-US");
  if (!form) return String(Number(value.toPrecision(6))).replace("-", "−");
  const text = fixed(Number(value.toPrecision(12)), Number(form.at(-2)));
  return form[0] === "+" && text[0] !== "−" ? `+${text}` : text;
}

function fill(text, scope) {
  return text.replace(/\{([^{}:]+)(?::([^{}]*))?\}/g, (_, path, form) => show(lookUp(path, scope), form));
}

function fillTable({ caption, lines, names, upright, rows, columns, key, form, none = "" }, scope) {
  if (!lines) {
    const cells = lookUp(key, scope).map((row) => row.map((x) => (x === null ? none : show(x, form))));
    return { caption, rows: lookUp(rows, scope), columns: lookUp(columns, scope), cells };
  }
  const things = [lookUp(names, scope)].flat(), heads = lines.map(({ header }) => header);
  const cells = lines.map((line) => [lookUp(line.key, scope)].flat().map((x) => show(x, line.form)));
  if (!upright) return { caption, rows: heads, columns: things, cells };
  return { caption, rows: things, columns: heads, cells: cells[0].map((_, j) => cells.map((row) => row[j])) };
}

/** The description of a state: data, state and numbers in their slots. */
export function fillIn({ title, summary, said, tables }, scope) {
  const filled = (texts) => {
    const plain = typeof texts === "string" || Array.isArray(texts);
    return [plain ? texts : texts[scope.case]].flat().map((text) => fill(text, scope));
  };
  return { title, summary: filled(summary).join(" "), said: filled(said ?? summary), tables: tables.map((table) => fillTable(table, scope)) };
}

// The numbers of a table by their key: rows of a table of lines, columns if it is upright.
const keysOf = ({ lines, key }) => (lines ? lines.map((line) => line.key) : [key]);
const sourceOf = ({ lines, source }, line) => (lines ? lines[line].source : source);

/** Where a cell's number comes from, or with onward, where it goes: [table, row, column],
 *  as far as the description says; null if it does not. */
export function related(tables, [t, i, j], onward) {
  const { lines, upright } = tables[t], line = lines ? (upright ? j : i) : 0;
  const thing = lines && upright ? i : j, own = keysOf(tables[t])[line];
  const wanted = (u, k) => (onward ? sourceOf(tables[u], k) === own : keysOf(tables[u])[k] === sourceOf(tables[t], line));
  for (const [u, other] of tables.entries()) {
    const k = keysOf(other).findIndex((_, at) => wanted(u, at));
    if (k < 0 || (u === t && k === line)) continue;
    if (!other.lines) return lines ? [u, thing, 0] : [u, i, j];
    return other.upright ? [u, thing, k] : [u, k, thing];
  }
  return null;
}
