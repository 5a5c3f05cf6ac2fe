// Lesson 14: a configuration's machine, layer by layer, and each total with its equation.
import { fixed, htmlNode, redrawOn } from "../kit/draw.js";
import { reader } from "../kit/reader.js";
import { tellOf } from "../kit/voice.js";
import { cacheEquation, cacheSizeOf, inBytes, inWords, numbersKept, readingCost, writingCost } from "./costs.js";
import { cardLink, kindOf, makeTower, tellLayer } from "./tower.js";
import { makeBox } from "./paste.js";

const ROWS = ["Parameters stored", "… used for one token", "Cache", "Multiplications per byte, prefill", "… decode"];

/** A row: its name, its number, and the equation behind it, folded. */
function makeTotal(name) {
  const value = htmlNode("strong"), equation = htmlNode("ul");
  const fold = htmlNode("details", {}, htmlNode("summary", { textContent: "equation", ariaLabel: `equation: ${name}` }), equation);
  const node = htmlNode("div", { className: "aw-total-row" }, htmlNode("span", { textContent: name }), value, fold);
  const set = (text, lines, refused) => {
    value.textContent = text;
    tellOf(node, `${name}: ${text}`);
    node.classList.toggle("aw-refused", refused);
    fold.hidden = !lines.length;
    equation.replaceChildren(...lines.map((line) => htmlNode("li", { textContent: line })));
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

/** What the costs are, each as [text, lines of its equation, refused]. */
function tellTotals(now, tokens, bits) {
  const missing = (name) => [now.refused[name] ? "refused" : "needs the totals above", [], true];
  const cache = cacheSizeOf(now, tokens, bits), many = (x) => x.toLocaleString("en");
  const whole = now.matrices !== null;
  const matrices = whole && `${many(now.matrices)} multiplications in the matrices for one token`;
  const fetched = whole && `${many(2 * now.fetched)} bytes of weights at 16 bits, for one token`;
  const used = now.n_active_parameters, stored = now.n_parameters, all = now.all ?? stored;
  return [
    stored === null ? missing("n_parameters") : [inWords(stored), now.equations, false],
    used === null ? missing("n_active_parameters")
      : [inWords(used), [
        all === used ? many(stored) : `${many(stored)} − ${many(all - used)} in experts not chosen`,
        ...(all === stored ? [] : [`− ${many(stored - all)} in rows of the embedding that it doesn't read`])], false],
    cache === null ? missing("cache_bytes") : [inBytes(cache), cacheEquation(now, tokens, bits), false],
    whole ? [many(Math.round(readingCost(now, tokens, bits))), [matrices, "times the tokens, plus each query's keys", "over all weights, fetched once, and the cache"], false] : missing(""),
    whole ? [fixed(writingCost(now, tokens, bits), 2), [matrices, fetched, `${many(cache)} bytes of cache`], false] : missing(""),
  ];
}

/** What is read: the totals, and every layer. */
function tellAll(name, totals, now, tokens) {
  const layers = now.order.map((kind) => now.kinds[kind]);
  return {
    summary: [name, ...totals.map(([text], i) => `${ROWS[i].replace("… ", "")}: ${text}`)].join(". "),
    tables: [
      { caption: "Totals", rows: ROWS, columns: ["total", "equation"], cells: totals.map(([text, lines]) => [text, lines.join("; ")]) },
      { caption: "Layers, in the order in which they are read", rows: layers.map((_, i) => `layer ${i + 1}`), columns: ["kind", "what it has", "numbers kept"],
        cells: layers.map((layer) => [kindOf(layer), tellLayer(layer), numbersKept(layer, tokens).toLocaleString("en")]) },
    ],
  };
}

function render({ model, el }) {
  let pasted = null;
  const heading = htmlNode("p", { className: "aw-model" }), tower = makeTower(), lines = makeLines();
  const totals = ROWS.map(makeTotal);
  const box = makeBox(model, (described) => { pasted = described; draw(); });
  const reasons = htmlNode("p", { className: "aw-reasons" });
  el.classList.add("aw-view", "aw-configuration");
  el.append(box.node, heading, reasons, ...tower.nodes, ...totals.map(({ node }) => node), lines.node);
  const read = reader(el, { title: "A model layer by layer, and what it costs", tables: [{ key: "totals" }, { key: "layers" }] });
  let last = null;
  const draw = () => {
    const now = pasted ?? model.get("described")[model.get("model")];
    const tokens = model.get("token_counts")[model.get("tokens")], bits = model.get("bit_counts")[model.get("bits")];
    heading.textContent = pasted ? `What you pasted, not the menu’s model: ${now.family ?? "no family"}` : model.get("names")[model.get("model")];
    const said = [...new Set(Object.values(now.refused))];
    const told = said.length ? [`Refused. ${said.join(" ")}`] : now.notes;
    reasons.hidden = !told.length;
    reasons.textContent = told.join(" ");
    tower.set(now, tokens);
    const all = tellTotals(now, tokens, bits);
    all.forEach((total, i) => totals[i].set(...total));
    read(tellAll(heading.textContent, all, now, tokens));
    if (now !== last) lines.set(now.lines);
    last = now;
  };
  const another = () => { pasted = null; };
  model.on("change:model", another);
  const stop = redrawOn(model, ["model", "tokens", "bits"], draw);
  return () => {
    model.off("change:model", another);
    box.close();
    stop();
  };
}

export default { render };
