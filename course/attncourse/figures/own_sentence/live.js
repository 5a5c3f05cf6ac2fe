// Lesson 12: what the heads of a real model look at, in stored sentences and the reader's.
import { htmlNode, redrawOn } from "../kit/draw.js";
import { megabytes, makeReader, makeOwn } from "./own.js";
import { write } from "../kit/drag.js";
import { openModel, readSizes } from "../../real_model/page/client.js";
import { N_HEADS, unpack } from "./weights.js";
import { makePicture } from "./picture.js";
import { makeExperiment } from "./experiment.js";

// What the figure shows, in the page's address, so that it can be sent.

const LONGEST = 2000; // characters: an address that holds more is cut by some programs

/** The part of the address after "#" for what is shown. */
export function toHash({ first, second, layer, head, word }) {
  const parts = { sentence: first, ...(second && { with: second }) };
  return `#${new URLSearchParams({ ...parts, head: `${layer}.${head}`, word })}`;
}

/** What an address says, or null if it names no sentence. A head or a word that is not
 *  there is left out. */
export function fromHash(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, "")), first = said.get("sentence");
  if (!first) return null;
  const state = { first: first.slice(0, LONGEST), second: (said.get("with") ?? "").slice(0, LONGEST) };
  const [, layer, head] = /^([0-5])\.(\d|1[01])$/.exec(said.get("head") ?? "") ?? [];
  if (layer) Object.assign(state, { layer: Number(layer), head: Number(head) });
  const word = Number(said.get("word"));
  if (Number.isInteger(word) && word > 0) state.word = word;
  return state;
}

// The form for one's own sentences: two fields, the model's cost, progress, Stop, a link.

let fieldCount = 0; // for the fields' ids

function field(label, placeholder, oninput) {
  const id = `aw-own-${++fieldCount}`;
  const input = htmlNode("input", { type: "text", id, placeholder, oninput, autocomplete: "off", spellcheck: false });
  return { input, node: htmlNode("div", {}, htmlNode("label", { htmlFor: id, textContent: label }), input) };
}

const button = (textContent, onclick) => htmlNode("button", { type: "button", textContent, onclick });

/** on: { open, change, load, words, stop, link }. state(name, bytes) takes "asking", "idle" with
 *  what the model costs, "loading", "ready" with what the other words cost, "done" or, where it is not to be had, "absent". */
export function makeForm(on) {
  const fields = [field("Your sentence", "Write a sentence", on.change),
    field("Compare with", "another one, or nothing", on.change)];
  const load = button("Load the model", on.load);
  const words = button("Load all words too", on.words), stop = button("Stop", on.stop), link = button("Copy link", on.link);
  const bar = htmlNode("progress", { max: 1, value: 0, ariaLabel: "Loading the model" });
  const says = htmlNode("p", { className: "aw-says" });
  const row = htmlNode("div", { className: "aw-columns" }, ...fields.map((one) => one.node));
  says.setAttribute("role", "status");
  load.className = "aw-load";
  const node = htmlNode("details", { className: "aw-own" }, htmlNode("summary", { textContent: "Try your own sentence" }),
    htmlNode("form", { onsubmit: (event) => event.preventDefault() }, row,
      htmlNode("div", { className: "aw-actions" }, load, words, bar, stop, link), says));
  node.addEventListener("toggle", () => node.open && on.open());
  return {
    node,
    open: () => { node.open = true; },
    state(name, bytes) {
      const price = name === "idle" ? "Load the model: " : "Work without a network: ", more = name === "idle" ? ", once" : " more";
      if (bytes) (name === "idle" ? load : words).textContent = price + megabytes(bytes) + more;
      words.hidden = name !== "ready";
      const focused = [load, words, stop].includes(document.activeElement);
      row.hidden = link.hidden = name === "absent";
      load.hidden = name !== "idle";
      bar.hidden = stop.hidden = name !== "loading";
      if (focused) ({ idle: load, loading: stop, ready: fields[0].input, done: fields[0].input })[name]?.focus();
    },
    say: (text) => { says.textContent = text; },
    progress: (share) => { bar.value = share; },
    texts: () => fields.map(({ input }) => input.value.trim()),
    fill: (texts) => fields.forEach(({ input }, i) => { input.value = texts[i] ?? ""; }),
    mark: (place) => fields.forEach(({ input }, i) => input.setAttribute("aria-invalid", i === place)),
  };
}

// The page's address says what the figure shows, so that it can be sent.

const REST = 400; // milliseconds after which the address is written

/** The address of what the picture shows. waits() says whether a sentence is still to be
 *  read: then the address stays. */
export function makeSending({ model, picture, form, waits }) {
  let timer, touched = false;
  const here = () => {
    const [first, second] = picture.shown().texts;
    return toHash({ first, second, layer: model.get("layer"), head: model.get("head"), word: model.get("word") });
  };
  async function link() {
    history.replaceState(null, "", here());
    try {
      await navigator.clipboard.writeText(location.href);
      form.say("The link is copied. It opens this page with these sentences, this head and this token.");
    } catch {
      form.say("The link could not be copied. It is in the address bar now: copy it from there.");
    }
  }
  /** Write what is shown into the address, once the reader has changed something. */
  function remember() {
    clearTimeout(timer);
    if (touched) timer = setTimeout(() => waits() || history.replaceState(null, "", here()), REST);
  }
  return { link, remember, said: () => fromHash(location.hash), start: () => { touched = true; }, stop: () => clearTimeout(timer) };
}

/** The stored sentences by their text, as the model would read them. */
function unpackAll(model) {
  const [tokens, weights] = [model.get("tokens"), model.get("weights")];
  const read = (i) => ({ tokens: tokens[i], weights: unpack(weights[i], tokens[i].length) });
  return new Map(model.get("texts").map((text, i) => [text, read(i)]));
}

const ASKS = "Token that asks";

/** The slider that chooses a token says it, too: "9, was". */
function sayToken(el, words) {
  const labels = el.closest(".aw-panel")?.querySelectorAll("label") ?? [];
  [...labels].find((one) => one.textContent === ASKS)?.control?.setAttribute("aria-valuetext", words);
}

/** The experiment, on the head that the controls say. */
function experimentOn(model, reader) {
  return makeExperiment(model.get("pairs"), { run: reader.run, ready: reader.ready,
    chosen: () => model.get("layer") * N_HEADS + model.get("head"),
    choose: (k) => write(model, { layer: Math.floor(k / N_HEADS), head: k % N_HEADS }) });
}

function render({ model, el }) {
  const examples = model.get("texts"), ownPair = examples.length / 2, stored = unpackAll(model);
  const root = document.documentElement.dataset.content_root, published = root !== undefined; // else a notebook
  const base = published ? `${root}_static/minilm/` : null;
  const reader = makeReader(stored, openModel, (bytes, total) => {
    form.progress(bytes / total);
    if (own.reads()) form.say(`Loading what these words need: ${megabytes(bytes)}.`);
  });
  const form = makeForm({ open: () => own.look(), load: () => own.load(), words: () => own.words(),
    stop: reader.stop, link: () => sending.link(), change: () => { write(model, { pair: ownPair }); own.read(); } });
  const picture = makePicture(model, () => {
    own.tell();
    nameToken();
    if (published) sending.remember();
  });
  const nameToken = () => queueMicrotask(() => sayToken(el, picture.asks())); // after the slider's own number
  const waits = () => form.texts().some((text, i) => text !== (picture.shown().texts[i] ?? ""));
  const sending = makeSending({ model, picture, form, waits });
  const experiment = experimentOn(model, reader);
  const own = makeOwn({ form, reader, picture, model, base, readSizes, absent: () => { experiment.hidden = true; } });
  experiment.hidden = !published;
  el.classList.add("aw-view", "aw-own-sentence");
  el.append(...picture.first, form.node, experiment, picture.all);

  const showPair = (pair) => {
    const texts = examples.slice(2 * pair, 2 * pair + 2);
    picture.show(texts, texts.map((text) => stored.get(text)));
    return texts;
  };
  function choosePair() {
    const pair = model.get("pair");
    if (pair >= ownPair) return form.open();
    own.drop();
    form.say("");
    return form.fill(showPair(pair));
  }
  /** Show what the address says. */
  function follow() {
    const said = published ? sending.said() : null;
    if (!said) return;
    const { first, second, ...place } = said, pair = examples.findIndex((text, i) => i % 2 === 0 && text === first && examples[i + 1] === second);
    write(model, { ...place, pair: pair < 0 ? ownPair : pair / 2 });
    own.keep(first);
    form.fill([first, second]);
    form.open();
    own.read();
    const come = () => el.scrollIntoView({ block: "start" });
    if (el.isConnected) come();
    else document.addEventListener("nk:mounted", come, { once: true });
  }

  form.state("asking");
  showPair(0); // also where the reader's own sentence is still to be read
  const stops = [redrawOn(model, ["layer", "head", "word", "matrices"], picture.redraw), redrawOn(model, ["pair"], choosePair)];
  sending.start();
  follow();
  document.addEventListener("nk:mounted", nameToken, { once: true });
  window.addEventListener("hashchange", follow);
  return () => {
    window.removeEventListener("hashchange", follow);
    sending.stop();
    stops.forEach((stop) => stop());
    reader.close();
  };
}

export default { render };
