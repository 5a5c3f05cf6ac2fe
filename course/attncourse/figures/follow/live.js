// The landing page: one word's whole way through attention, number by number.
import { dotProductScores, multiply, scaleScores, softmax } from "../kit/maths.js";
import { fixed, patch, readable, redrawOn } from "../kit/draw.js";

const SIZE = 320, BARS = 76, TOP = 18;
const CHANGED = { w_query: [1, 0], w_key: [1, 1] }; // row, column: as in follow.py
const TRAITS = ["sentence", "word", "d_k", "temperature", "w_query", "w_key", "step"];

/** A copy of a matrix with one entry replaced. */
export function withEntry(matrix, [i, j], number) {
  return matrix.map((row, r) => row.map((x, c) => (r === i && c === j ? number : x)));
}

/** Every number on the way of one word, from what the controls say. */
export function follow({ x, w_query, w_key, value }, { word, d_k, temperature, ...entry }) {
  const wQuery = withEntry(w_query, CHANGED.w_query, entry.w_query);
  const wKey = withEntry(w_key, CHANGED.w_key, entry.w_key);
  const kept = (rows) => rows.map((row) => row.slice(0, d_k));
  const query = multiply([x[word - 1]], wQuery), key = multiply(x, wKey);
  const [scores] = dotProductScores(kept(query), kept(key));
  const scaled = scaleScores(scores, d_k).map((s) => s / temperature);
  const weights = softmax(scaled);
  const weighted = value.map((v, j) => v.map((number) => weights[j] * number));
  const [output] = multiply([weights], value), exponentials = scaled.map(Math.exp);
  return { wQuery, wKey, query: query[0], key, scores, scaled, exponentials, weights, weighted, output };
}

// From here on, nodes are described as patch() takes them: [name, attributes, ...children].
const three = (x) => fixed(x, 3);
const given = (x) => fixed(x, 2).replace(/\.?0+$/, "");
const vector = (numbers, format = three) => `[${numbers.map(format).join(", ")}]`;
const node = (name, className, ...children) => [name, { class: className }, ...children];
const box = (className, ...children) => node("div", className, ...children);
const span = (className, ...children) => node("span", className, ...children);
const hint = (text) => span("aw-hint", text);
const row = (head, cells, className = "") => node("tr", className, ["th", { scope: "row" }, head],
  ...cells.map((cell) => node("td", "", ...(Array.isArray(cell[0]) ? cell : [cell]))));
const table = (className, ...rows) => node("table", `aw-way ${className}`, node("tbody", "", ...rows));
const heads = (...names) => node("tr", "aw-way-heads", ["td", {}],
  ...names.map((name) => ["th", { scope: "col" }, name]));

/** Rows of a weight matrix: columns beyond d_k are struck, the slider's entry is framed. */
function weightRows(matrix, names, d_k, [i, j] = []) {
  return matrix.map((numbers, r) => row(names[r], numbers.map((number, c) =>
    span(`${c < d_k ? "" : "aw-unused"}${r === i && c === j ? " aw-changed" : ""}`, given(number)))));
}

const used = (numbers, d_k, format) => numbers.map((number, c) =>
  span(c < d_k ? "" : "aw-unused", format(number)));

/** What each of the seven steps shows: a title, a sentence with its numbers, tables. */
function steps({ tokens, x, w_value, value }, now, { word, d_k, temperature }) {
  const me = tokens[word - 1], hot = temperature !== 1;
  const divisor = `√dₖ = ${three(Math.sqrt(d_k))}${hot ? ` and by T = ${fixed(temperature, 2)}` : ""}`;
  const each = (numbers, format) => tokens.map((token, j) => `${token} ${format(numbers[j])}`).join(", ");
  const rows = (cells) => tokens.map((token, j) => row(token, cells(j), j === word - 1 ? "aw-asks" : ""));
  const names = x[0].map((_, i) => `row ${i + 1}`), times = x[word - 1].map((v) => `${given(v)} ×`);
  const total = now.exponentials.reduce((sum, e) => sum + e, 0);
  return [
    ["Embedding", `${me} comes in as ${vector(x[word - 1], given)}.`,
      table("", ...rows((j) => x[j].map(given)))],
    ["Query", `What ${me} looks for is ${vector(now.query)}.`, hint("x × each row of W_Q, added up"),
      table("", ...weightRows(now.wQuery, times, d_k, CHANGED.w_query),
        row("q", used(now.query, d_k, three), "aw-total aw-query"))],
    ["Scores", `The query against every key: ${each(now.scores, three)}.`, hint("W_K"),
      table("", ...weightRows(now.wKey, names, d_k, CHANGED.w_key)), hint("keys, and q · k"),
      table("", ...rows((j) => [...used(now.key[j], d_k, fixed), span("aw-result", three(now.scores[j]))]))],
    ["Scale", `Divided by ${divisor}: ${each(now.scaled, three)}.`,
      table("", heads("score", hot ? "÷ √dₖ ÷ T" : "÷ √dₖ"),
        ...rows((j) => [three(now.scores[j]), span("aw-result", three(now.scaled[j]))]))],
    ["Softmax", `Each exponential’s share of their sum: ${each(now.weights, readable)}.`,
      table("", heads("exponential", "weight"), ...rows((j) =>
        [readable(now.exponentials[j]), span("aw-result aw-weights", readable(now.weights[j]))]),
      row("sum", [readable(total), "1"], "aw-total"))],
    ["Weigh the values", `Each value times its weight: ${each(now.weighted, (v) => vector(v))}.`,
      hint("W_V"), table("", ...weightRows(w_value, names, Infinity)), hint("weight × value"),
      table("aw-products", ...rows((j) => [[
        span("aw-line", `${readable(now.weights[j])} × ${vector(value[j], (v) => fixed(v, 2))}`),
        span("aw-line aw-result", `= ${vector(now.weighted[j])}`)]]))],
    ["Output", `The sum of those rows is what ${me} becomes: ${vector(now.output)}.`,
      table("", row(me, now.output.map(three), "aw-asks"))],
  ];
}

/** The formulas. Each part is lit at its own steps; what follows a "_" is set below. */
function formulas(at, hot) {
  const part = (text, kind, ...steps) => {
    const [base, below] = text.split("_"), lit = steps.includes(at) ? " aw-lit" : "";
    return span(`aw-part ${kind}${lit}`, base, ...(below ? [["sub", {}, below]] : []));
  };
  const project = (letter, kind, ...steps) => span("", part(`${letter} =`, kind, ...steps),
    part("X", "", 1), part(`W_${letter}`, kind, ...steps));
  const fraction = box("aw-fraction", box("", part("Q", "aw-query", 2, 3), part("Kᵀ", "aw-key", 3)),
    part(hot ? "T√d_k" : "√d_k", "", 4));
  return [box("aw-way-formula", part("output =", "", 7), part("softmax(", "aw-weights", 5), fraction,
    part(")", "aw-weights", 5), part("V", "aw-value", 6)),
  box("aw-way-formula aw-where", project("Q", "aw-query", 2), project("K", "aw-key", 3),
    project("V", "aw-value", 6))];
}

/** A bar for each word's weight; a click on a word lets that word ask. */
function bars(tokens, weights, word) {
  const step = SIZE / tokens.length, foot = TOP + BARS, height = foot + 24;
  const says = tokens.map((token, j) => `${token} ${readable(weights[j])}`).join(", ");
  const columns = tokens.map((token, j) => {
    const tall = weights[j] * BARS, x = (j + 0.5) * step, place = { x, "text-anchor": "middle" };
    return ["g", { class: `aw-pick${j === word - 1 ? " aw-of-query aw-strong" : ""}`, "data-word": j + 1 },
      ["rect", { x: j * step, width: step, height, fill: "transparent" }],
      ["rect", { class: "aw-bar", x: x - 15, width: 30, y: foot - tall, height: tall }],
      ["text", { ...place, y: foot - tall - 5, class: "aw-small" }, readable(weights[j])],
      ["text", { ...place, y: foot + 17 }, token]];
  });
  const label = `${tokens[word - 1]} attends to: ${says}.`;
  return ["svg", { class: "aw-svg", viewBox: `0 0 ${SIZE} ${height}`, role: "img", "aria-label": label },
    ["path", { class: "aw-axis", d: `M0 ${foot}H${SIZE}` }], ...columns];
}

/** The whole figure. */
function draw(sentence, state) {
  const now = follow(sentence, state), { tokens, note } = sentence, at = state.step;
  const shown = steps(sentence, now, state), [title, words] = shown[at - 1];
  const cards = shown.map(([name, , ...parts], i) =>
    ["div", { class: `aw-step${i + 1 === at ? " aw-lit" : ""}`, "data-step": i + 1 },
      box("aw-heading", `${i + 1} · ${name}`), ...parts]);
  const asks = span("aw-query", tokens[state.word - 1]);
  return [box("aw-columns",
    box("", box("aw-heading", asks, " attends to"), bars(tokens, now.weights, state.word), box("aw-hint", note)),
    box("", ...formulas(at, state.temperature !== 1),
      box("aw-told", ["b", {}, `${at} · ${title}. `], words))), box("aw-cards", ...cards)];
}

function render({ model, el }) {
  const sentences = model.get("sentences");
  let beginning = false;
  el.classList.add("aw-view", "aw-follow");
  const set = (changes) => { model.set(changes); model.save_changes(); };
  // Another sentence has other weights and other counts: its sliders start at its own.
  const begin = () => {
    const { tokens, w_query, w_key } = sentences[model.get("sentence")];
    const n_words = tokens.length, d_k = w_query[0].length;
    const [[i, j], [r, c]] = [CHANGED.w_query, CHANGED.w_key];
    beginning = true;
    set({ word: Math.min(model.get("word"), n_words), n_words, n_columns: d_k, d_k,
      w_query: w_query[i][j], w_key: w_key[r][c] });
    beginning = false;
  };
  const choose = (event) => {
    const { word, step } = event.target.closest("[data-word], [data-step]")?.dataset ?? {};
    if (word) set({ word: Number(word) });
    if (step) set({ step: Number(step) });
  };
  model.on("change:sentence", begin);
  el.addEventListener("click", choose);
  const stop = redrawOn(model, TRAITS, () => {
    if (beginning) return;
    const state = Object.fromEntries(TRAITS.map((trait) => [trait, model.get(trait)]));
    patch(el, draw(sentences[state.sentence], state));
  });
  return () => {
    model.off("change:sentence", begin);
    el.removeEventListener("click", choose);
    stop();
  };
}

export default { render };
