// Lesson 14: a configuration's machine, layer by layer, and each total with its equation.
import { ALONE } from "../kit/alone.js";
import { live } from "../kit/declared.js";
import { htmlNode } from "../kit/draw.js";
import { cacheEquation, cacheSizeOf, many, numbersKept, parametersOf, readingCost, writingCost } from "./costs.js";
import { cardLink, makeTower } from "./tower.js";
import { makeBox } from "./paste.js";

/** Every number of the figure, from what the controls say, and from what was pasted. */
export function compute({ model, tokens, bits }, { models, pasted }) {
  const now = pasted ?? models[model], counts = new Map(), order = now.order;
  for (const k of order) counts.set(now.kinds[k].name, (counts.get(now.kinds[k].name) ?? 0) + 1);
  const ends = order.flatMap((k, i) => (k === order[i + 1] ? [] : [i + 1])), kinds = ends.map((end) => now.kinds[order[end - 1]]);
  const run = (end, i) => (end - 1 > (ends[i - 1] ?? 0) ? `layers ${(ends[i - 1] ?? 0) + 1} to ${end}` : `layer ${end}`);
  return { now, why: [...new Set(Object.values(now.refused))].join(" "), n_parameters: now.n_parameters, used: now.n_active_parameters,
    name: !ALONE && pasted ? `What you pasted, not the menu’s model: ${now.family ?? "no family"}` : model,
    cache_bytes: cacheSizeOf(now, tokens, bits), reading: readingCost(now, tokens, bits), writing: writingCost(now, tokens, bits),
    layers: { names: ends.map(run), kinds: kinds.map(({ name }) => name), told: kinds.map(({ told }) => told),
      kept: kinds.map((layer) => numbersKept(layer, tokens)) },
    mix: [...counts].map(([name, n]) => `${n} × ${name}`), case: now.matrices === null ? "refused" : "counted" };
}

/** A row: its name, its number, and the equation behind it, folded. */
function makeTotal(name) {
  const value = htmlNode("strong"), equation = htmlNode("ul");
  const fold = htmlNode("details", {}, htmlNode("summary", { textContent: "equation", ariaLabel: `equation: ${name}` }), equation);
  const node = htmlNode("div", { className: "aw-total-row" }, htmlNode("span", { textContent: name }), value, fold);
  const set = (text, lines) => {
    value.textContent = lines ? text : "refused";
    node.classList.toggle("aw-refused", !lines);
    fold.hidden = !lines;
    equation.replaceChildren(...(lines ?? []).map((line) => htmlNode("li", { textContent: line })));
  };
  return { node, set };
}

function makeLines() {
  const body = htmlNode("dl");
  const node = htmlNode("details", { className: "aw-lines" },
    htmlNode("summary", { textContent: "Each line of the file" }), body);
  const set = (lines) => body.replaceChildren(...lines.flatMap(([key, kind, sentence, card]) => [
    htmlNode("dt", { className: `aw-line-${kind}` }, htmlNode("code", { textContent: key })),
    htmlNode("dd", {}, kind === "nothing" ? `Not counted here. ${sentence}` : sentence,
      ...(card.length ? [" ", cardLink(card)] : [])),
  ]));
  return { node, set };
}

/** The lines of each total's equation; none for what is refused. */
function equationsOf({ now, n_parameters: stored, used, cache_bytes: cache }, { tokens, bits }) {
  const all = now.all ?? stored, matrices = now.matrices && `${many(now.matrices)} multiplications in the matrices for one token`;
  return [
    stored === null ? null : parametersOf(now),
    used === null ? null : [all === used ? many(stored) : `${many(stored)} − ${many(all - used)} in experts not chosen`,
      ...(all === stored ? [] : [`− ${many(stored - all)} in rows of the embedding that it doesn't read`])],
    cache === null ? null : cacheEquation(now, tokens, bits),
    matrices && [matrices, "times the tokens, plus each query's keys", "over all weights, fetched once, and the cache"],
    matrices && [matrices, `${many(2 * now.fetched)} bytes of weights at 16 bits, for one token`, `${many(cache)} bytes of cache`],
  ];
}

function draw({ el, data, model, redraw }) {
  const heading = htmlNode("p", { className: "aw-model" }), tower = makeTower(), lines = makeLines();
  const box = makeBox(model, data, (described) => { data.pasted = described; redraw(); });
  const reasons = htmlNode("p", { className: "aw-reasons" });
  el.append(...box, heading, reasons, ...tower.nodes, lines.node);
  let last = null, totals = null;
  return (numbers, state, { tables: [{ rows, cells }] }) => {
    const { now, name, why } = numbers, told = why ? [`Refused. ${why}`] : now.notes;
    heading.textContent = name;
    reasons.hidden = !told.length;
    reasons.textContent = told.join(" ");
    tower.set(now, state.tokens, numbers.mix);
    if (!totals) lines.node.before(...(totals = rows.map(makeTotal)).map(({ node }) => node));
    equationsOf(numbers, state).forEach((equation, i) => totals[i].set(cells[i][0], equation));
    if (now !== last) lines.set(now.lines);
    last = now;
  };
}

/** Another model takes the place of what was pasted. */
function follow(state, before, _, data) {
  if (state.model !== before.model) data.pasted = null;
  return {};
}

export default live({ compute, draw, follow });
