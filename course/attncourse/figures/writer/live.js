// A decoder that writes in the page: the text, its next word, its heads, its cache.
import { live } from "../kit/declared.js";
import { fixed, htmlNode } from "../kit/draw.js";
import { retell } from "../kit/drag.js";
import { makeCosts } from "./costs.js";
import { continueText, draws, emptyMemory, multiplications, probabilities, read, unpack } from "./decoder.js";

const BARS = 8, ENDING = 6, LONGEST = 40, BYTES = 8;

/** The places of the largest numbers, largest first. */
export function largest(numbers, count) {
  return numbers.map((_, i) => i).sort((a, b) => numbers[b] - numbers[a] || a - b).slice(0, count);
}

/** What is wrong with a line, or nothing. */
function refusal(line, words) {
  const { ids, unknown } = read(line, words);
  if (unknown) return `“${unknown}” is not among the ${words.length} words it knows.`;
  if (!ids.length) return "Type a word that it knows.";
  return ids.length > LONGEST ? `At most ${LONGEST} words: these are ${ids.length}.` : "";
}

/** The line to type in: what it can read becomes the beginning. */
function makeLine({ words }, put) {
  const input = htmlNode("input", { type: "text", id: `aw-writes-${Math.random().toString(36).slice(2)}`,
    className: "aw-beginning", autocomplete: "off", spellcheck: false, autocapitalize: "off" });
  const label = htmlNode("label", { htmlFor: input.id, textContent: "Beginning" });
  const says = htmlNode("div", { className: "aw-caption", role: "status" });
  const known = htmlNode("details", { className: "aw-caption" },
    htmlNode("summary", { textContent: `The ${words.length} words it knows` }), words.join(" "));
  const tell = (why) => {
    retell(says, why && `${why} Below stands the last line that it could read.`);
    input.setAttribute("aria-invalid", String(why !== ""));
  };
  input.addEventListener("input", () => {
    const why = refusal(input.value, words);
    tell(why);
    if (!why) put({ beginning: input.value });
  });
  let was = null;
  const set = (beginning) => {
    if (beginning === was) return;
    was = beginning;
    if (input.value !== beginning) input.value = beginning;
    tell("");
  };
  return { set, node: htmlNode("div", {}, label, input, says, known) };
}

/** The next words with their bars; a click writes one. */
function makeBars(choose) {
  const rows = Array.from({ length: BARS }, () => {
    const name = htmlNode("span", { className: "aw-name" }), share = htmlNode("span", { className: "aw-share" });
    const own = htmlNode("span", { className: "aw-own" }), drawn = htmlNode("span", { className: "aw-drawn" });
    const node = htmlNode("button", { type: "button", className: "aw-next" },
      name, htmlNode("span", { className: "aw-track" }, drawn, own), share);
    node.addEventListener("click", () => choose(name.textContent));
    return { name, share, own, drawn, node };
  });
  const set = ({ next, own, drawn }) => rows.forEach((row, r) => {
    row.name.textContent = next[r];
    row.share.textContent = fixed(drawn[r], 2);
    row.own.style.width = `${(100 * own[r]).toFixed(2)}%`;
    row.drawn.style.width = `${(100 * drawn[r]).toFixed(2)}%`;
  });
  return { set, node: htmlNode("div", { className: "aw-nexts" }, ...rows.map((row) => row.node)) };
}

/** A button for each head, which says where the word looks; a click colors the text. */
function makeHeads(names, choose) {
  const buttons = names.map((_, i) => {
    const node = htmlNode("button", { type: "button", className: "aw-head-row" });
    node.addEventListener("click", () => choose(i));
    return node;
  });
  const set = (rows, words, chosen) => buttons.forEach((node, i) => {
    const looks = largest(rows[i], 3).filter((j) => rows[i][j] >= 0.005);
    const said = looks.map((j) => `${words[j]} ${fixed(rows[i][j], 2)}`).join(" · ");
    node.replaceChildren(htmlNode("b", { textContent: `Head ${names[i]}` }), ` ${said}`);
    node.setAttribute("aria-pressed", String(i === chosen));
  });
  return { set, node: htmlNode("div", { className: "aw-head-rows" }, ...buttons) };
}

const titled = (title, ...children) =>
  htmlNode("div", {}, htmlNode("div", { className: "aw-heading", textContent: title }), ...children);

const unpacked = new WeakMap(); // the weights, and what was computed last, by a figure's data

function held(data) {
  if (!unpacked.has(data)) unpacked.set(data, [unpack(data.packed, data.parts), emptyMemory(data.sizes.nLayers)]);
  return unpacked.get(data);
}

/** Every number of the figure, from what the controls say. */
export function compute({ beginning, added, temperature, top_k, top_p, attempt, back }, data) {
  const { words, sizes } = data, [w, memory] = held(data), choice = { temperature, topK: top_k, topP: top_p };
  const begun = read(beginning, words).ids, numbers = draws(data.chance[attempt - 1], added);
  const { ids, steps } = continueText(w, begun, numbers, choice, sizes, memory);
  const { logits } = steps.at(-1), chances = probabilities(logits, choice);
  const all = probabilities(logits, { temperature: 1, topK: words.length, topP: 1 }), likely = largest(all, BARS);
  const n = ids.length, from = Math.max(n - 1 - back, 0), { weights } = steps[from], looks = weights.flat();
  const names = ids.map((id) => words[id]), peak = looks.map((row) => Math.max(...row));
  return { words: names, text: names.join(" "), ending: names.slice(-ENDING).join(" "), n_words: n, from, begun: begun.length,
    probabilities: Object.fromEntries(words.map((word, id) => [word, chances[id]])),
    next: likely.map((id) => words[id]), own: likely.map((id) => all[id]), drawn: likely.map((id) => chances[id]),
    weights: weights.map((layer) => layer.map((row) => [...row, ...Array(n - 1 - from).fill(0)])),
    looks, seen: names.slice(0, from + 1).map((name, j) => `${j + 1} ${name}`), asks: names[from],
    most: looks.map((row, i) => names[row.indexOf(peak[i])]), peak, cache_bytes: n * 2 * sizes.nLayers * w.table.columns * BYTES,
    multiplications: [multiplications(w, sizes.nLayers, 1, n), multiplications(w, sizes.nLayers, n, n)],
    ms: steps.reduce((sum, one) => sum + one.ms, 0) };
}

function draw({ el, data, put }) {
  const line = makeLine(data, put), costs = makeCosts();
  const text = htmlNode("p", { className: "aw-written" }), asks = htmlNode("div", { className: "aw-heading" });
  const how = htmlNode("div", { className: "aw-caption" });
  let shown = [];
  const bars = makeBars((word) => {
    if (shown.length < LONGEST) put({ beginning: [...shown, word].join(" "), added: 0, back: 0 });
  });
  const heads = makeHeads(data.heads, (head) => put({ head }));
  el.append(line.node, text, how, htmlNode("div", { className: "aw-columns" },
    titled("Next word (press to write it)", bars.node),
    htmlNode("div", { className: "aw-stack" }, htmlNode("div", {}, asks, heads.node),
      titled("What it keeps, and what that saves", costs.svg))));
  return (now, { beginning, head, added, temperature, top_k: topK, top_p: topP, attempt }) => {
    const { words, n_words: n, from, looks } = now;
    shown = words;
    line.set(beginning);
    text.replaceChildren(...words.flatMap((word, i) => {
      const names = [i >= now.begun && "aw-added", i === from && "aw-from"].filter(Boolean).join(" ");
      const node = htmlNode("span", { className: names, textContent: word });
      node.style.setProperty("--share", `${(55 * (looks[head][i] ?? 0)).toFixed(1)}%`);
      node.addEventListener("click", () => put({ back: Math.min(n - 1 - i, 40) }));
      return [node, " "];
    }));
    how.textContent = `${added} words added at temperature ${fixed(temperature, 1)}, top-k ${topK}, ` +
      `top-p ${fixed(topP, 2)}, attempt ${attempt}. Choose a word, or go steps back, to see where it looks.`;
    bars.set(now);
    asks.textContent = `Where “${now.asks}” looks`;
    heads.set(looks, words, head);
    costs.set(n, now.cache_bytes, ...now.multiplications, now.ms);
  };
}

export default live({ compute, draw });
