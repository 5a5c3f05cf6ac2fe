// What the machine says of its numbers: a line for each row of each matrix, as told.py.
import { show } from "../kit/read.js";
import { isGivenIn, namesOf } from "./notation.js";

function written(v) {
  if (v === -Infinity) return "covered";
  return show(v, Math.abs(v - Math.round(v)) < 1e-9 ? ".0f" : ".2f");
}

const lineOf = (row, columns) => row.map((v, j) => `${columns[j]} ${written(v)}`).join(", ");

/** The lines of all heads or layers, what is given and what is computed; and of whom the
 *  machine tells, with a row of theirs. */
export function told(tables, { given, plan, asker, tells, case: now }, { parts, stage, choice, pick }) {
  const count = tables.length, kind = given.network.length ? "layer" : "head";
  const shown = [...new Set(plan.matrices.filter(({ base, lesson }) => (lesson || parts[base][4]) <= stage).map(({ base }) => base))];
  const lines = tables.flatMap((table, k) => shown.flatMap((base) => {
    const [name, r, c] = parts[base], names = namesOf(given, choice, k), of = count > 1 ? `${kind} ${k + 1}, ` : "";
    return table[base].map((row, i) => ({ given: isGivenIn(base, given, k), name: `${of}${name}, ${names[r][i]}`, line: lineOf(row, names[c]) }));
  }));
  const part = (yes) => lines.filter((one) => one.given === yes);
  const own = Math.min(pick, count - 1), names = namesOf(given, choice, own);
  const of = (yes, key) => part(yes).map((one) => one[key]);
  return { case: now, asker: names.word[asker], row: lineOf(tables[own][tells][asker], names[parts[tells][2]]),
    of: count > 1 ? `${kind === "head" ? "Head" : "Layer"} ${own + 1}: ` : "",
    given_names: of(true, "name"), given_rows: of(true, "line"), made_names: of(false, "name"), made_rows: of(false, "line") };
}
