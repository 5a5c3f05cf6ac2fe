// One of the two sentences: its arcs, what it says in words, and the chosen head's matrix.
import { htmlNode } from "../kit/draw.js";
import { heardTable } from "../kit/heard.js";
import { retell } from "../kit/drag.js";
import { makeArcs, makeMatrix } from "./drawings.js";
import { headOf, most, MOST_CELLS, rowOf } from "./weights.js";

/** The end of a text, which is where two sentences of a pair differ. */
export const ending = (text) => (text.split(/\s+/).length > 5 ? `… ${text.split(/\s+/).slice(-4).join(" ")}` : text);

/** fill(reading, name) takes another sentence, or null; set(layer, head, place) shows a head
 *  and the token at a place; choose(place) is told which token is tapped. */
export function makeSide(choose) {
  const title = htmlNode("div", { className: "aw-heading" }), says = htmlNode("div", { className: "aw-caption" });
  const arcs = htmlNode("div"), matrix = htmlNode("div");
  let now = null;
  const fill = (reading, name) => {
    now = null;
    arcs.hidden = matrix.hidden = !reading;
    if (!reading) return;
    const { tokens } = reading, named = tokens.map((token, k) => `${k + 1} ${token}`);
    now = { reading, arcs: makeArcs(tokens, choose), matrix: makeMatrix(tokens, choose) };
    if (tokens.length <= MOST_CELLS) now.heard = heardTable(named, named);
    title.textContent = name;
    arcs.replaceChildren(title, now.arcs.frame, says);
    matrix.replaceChildren(now.matrix.frame, ...(now.heard ? [now.heard.node] : []));
  };
  const set = (layer, head, place) => {
    if (!now) return;
    const { tokens } = now.reading, row = rowOf(now.reading, layer, head, place);
    now.arcs.set(row, place);
    const all = headOf(now.reading, layer, head);
    now.matrix.set(all, place);
    now.heard?.set(all, `Weights of head ${layer}.${head} in “${title.textContent}”: rows ask, columns are looked at`);
    retell(says, `“${tokens[place]}” looks at ${most(tokens, row)}`);
    now.arcs.svg.speak(`Layer ${layer}, head ${head}. ${title.textContent}: ${says.textContent}.`);
    now.matrix.svg.speak(`All weights of head ${layer}.${head} in “${title.textContent}”, a row for each token.`);
  };
  return { arcs, matrix, fill, set, says: () => says.textContent };
}
