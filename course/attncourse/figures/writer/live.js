// A decoder that writes in the page: the text, its next word, its heads, its cache.
import { fixed, htmlNode, redrawOn } from "../kit/draw.js";
import { retell, write } from "../kit/drag.js";
import { reader } from "../kit/reader.js";
import { makeCosts } from "./costs.js";
import { continueText, emptyMemory, multiplications, probabilities, read, unpack } from "./decoder.js";

const BARS = 8, LONGEST = 40, BYTES = 8;
const TRAITS = ["beginning", "added", "temperature", "top_k", "top_p", "attempt", "back", "head"];

/** The places of the largest numbers, largest first. */
export function largest(numbers, count) {
  return numbers.map((_, i) => i).sort((a, b) => numbers[b] - numbers[a] || a - b).slice(0, count);
}

/** The line to type in. tell() says what is wrong with it, or nothing. */
function makeInput(model, words) {
  const input = htmlNode("input", { type: "text", id: `aw-writes-${Math.random().toString(36).slice(2)}`,
    className: "aw-beginning", autocomplete: "off", spellcheck: false, autocapitalize: "off" });
  const label = htmlNode("label", { htmlFor: input.id, textContent: "Beginning" });
  const says = htmlNode("div", { className: "aw-caption", role: "status" });
  const known = htmlNode("details", { className: "aw-caption" },
    htmlNode("summary", { textContent: `The ${words.length} words it knows` }), words.join(" "));
  input.addEventListener("input", () => write(model, { beginning: input.value }));
  const tell = (text) => {
    retell(says, text && `${text} Below stands the last line that it could read.`);
    input.setAttribute("aria-invalid", String(text !== ""));
  };
  return { input, tell, node: htmlNode("div", {}, label, input, says, known) };
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
  const set = (words, own, drawn) => largest(own, BARS).forEach((id, r) => {
    const row = rows[r];
    row.name.textContent = words[id];
    row.share.textContent = fixed(drawn[id], 2);
    row.own.style.width = `${(100 * own[id]).toFixed(2)}%`;
    row.drawn.style.width = `${(100 * drawn[id]).toFixed(2)}%`;
  });
  return { set, node: htmlNode("div", { className: "aw-nexts" }, ...rows.map((row) => row.node)) };
}

const headName = (i, { nHeads }) => `Head ${Math.floor(i / nHeads)}.${i % nHeads}`;

/** A button for each head, which says where the word looks; a click colors the text. */
function makeHeads(sizes, choose) {
  const buttons = Array.from({ length: sizes.nLayers * sizes.nHeads }, (_, i) => {
    const node = htmlNode("button", { type: "button", className: "aw-head-row" });
    node.addEventListener("click", () => choose(i));
    return node;
  });
  const set = (rows, words, chosen) => buttons.forEach((node, i) => {
    const looks = largest(rows[i], 3).filter((j) => rows[i][j] >= 0.005);
    const said = looks.map((j) => `${words[j]} ${fixed(rows[i][j], 2)}`).join(" · ");
    node.replaceChildren(htmlNode("b", { textContent: headName(i, sizes) }), ` ${said}`);
    node.setAttribute("aria-pressed", String(i === chosen));
  });
  return { set, node: htmlNode("div", { className: "aw-head-rows" }, ...buttons) };
}

const titled = (title, ...children) =>
  htmlNode("div", {}, htmlNode("div", { className: "aw-heading", textContent: title }), ...children);

function render({ model, el }) {
  const w = unpack(model.get("packed"), model.get("parts"));
  const words = model.get("words"), sizes = model.get("sizes");
  const line = makeInput(model, words), costs = makeCosts();
  const text = htmlNode("p", { className: "aw-written" }), how = htmlNode("div", { className: "aw-caption" });
  const memory = emptyMemory(sizes.nLayers);
  let shown = [], valid = [];
  const bars = makeBars((word) => {
    const all = [...shown.map((id) => words[id]), word].join(" ");
    if (shown.length < LONGEST) write(model, { beginning: all, added: 0, back: 0 });
  });
  const heads = makeHeads(sizes, (head) => write(model, { head }));
  const asks = htmlNode("div", { className: "aw-heading" });
  el.classList.add("aw-view", "aw-writer");
  el.append(line.node, text, how, htmlNode("div", { className: "aw-columns" },
    titled("Next word (click to write it)", bars.node),
    htmlNode("div", { className: "aw-stack" }, htmlNode("div", {}, asks, heads.node),
      titled("What it keeps, and what that saves", costs.svg))));
  const told = reader(el, { title: "A decoder that writes, word by word", tables: [{ key: "next" }, { key: "weights" }] });

  const readLine = () => {
    const typed = model.get("beginning"), { ids, unknown } = read(typed, words);
    if (line.input.value !== typed) line.input.value = typed;
    if (unknown) return line.tell(`“${unknown}” is not among the ${words.length} words it knows.`);
    if (!ids.length) return line.tell("Type a word that it knows.");
    if (ids.length > LONGEST) return line.tell(`At most ${LONGEST} words: these are ${ids.length}.`);
    valid = ids;
    return line.tell("");
  };

  return redrawOn(model, TRAITS, () => {
    readLine();
    if (!valid.length) return;
    const [added, temperature, topK, topP, attempt, back, head] = TRAITS.slice(1).map((t) => model.get(t));
    const choice = { temperature, topK, topP }, numbers = model.get("numbers")[attempt - 1].slice(0, added);
    const { ids, steps } = continueText(w, valid, numbers, choice, sizes, memory);
    const ms = steps.reduce((sum, one) => sum + one.ms, 0);
    shown = ids;
    const n = ids.length, from = Math.max(n - 1 - back, 0), rows = steps[from].weights.flat();
    text.replaceChildren(...ids.flatMap((id, i) => {
      const names = [i >= valid.length && "aw-added", i === from && "aw-from"].filter(Boolean).join(" ");
      const node = htmlNode("span", { className: names, textContent: words[id] });
      node.style.setProperty("--share", `${(55 * (rows[head][i] ?? 0)).toFixed(1)}%`);
      node.addEventListener("click", () => write(model, { back: Math.min(n - 1 - i, 40) }));
      return [node, " "];
    }));
    const { logits } = steps.at(-1), drawn = probabilities(logits, choice);
    const own = probabilities(logits, { temperature: 1, topK: words.length, topP: 1 }), next = largest(own, BARS);
    bars.set(words, own, drawn);
    const names = ids.map((id) => words[id]);
    asks.textContent = `Where “${names[from]}” looks`;
    heads.set(rows, names, head);
    costs.set(n, n * 2 * sizes.nLayers * w.table.columns * BYTES,
      multiplications(w, sizes.nLayers, 1, n), multiplications(w, sizes.nLayers, n, n), ms);
    how.textContent = `${added} words added at temperature ${fixed(temperature, 1)}, top-k ${topK}, ` +
      `top-p ${fixed(topP, 2)}, attempt ${attempt}. Tap a word, or go steps back, to see where it looks.`;
    told({ summary: `${names.join(" ")}. ${how.textContent}`, tables: [
      { caption: "The next word", rows: next.map((id) => words[id]), columns: ["probability", "with these settings"], cells: next.map((id) => [fixed(own[id]), fixed(drawn[id])]) },
      { caption: asks.textContent, rows: rows.map((_, i) => headName(i, sizes)), columns: names.slice(0, from + 1).map((name, j) => `${j + 1} ${name}`), cells: rows.map((row) => row.map((weight) => fixed(weight))) },
    ] });
  });
}

export default { render };
