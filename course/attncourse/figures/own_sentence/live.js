// Lesson 12: what the heads of a real model look at, in stored sentences and the reader's.
import { fixed, htmlNode, redrawOn } from "../kit/draw.js";
import { retell, write } from "../kit/drag.js";
import { openModel, readSizes } from "../../real_model/page/client.js";
import { N_HEADS, changes, partner, unpack } from "./weights.js";
import { makeMap } from "./drawings.js";
import { ending, makeSide } from "./side.js";
import { fromHash, toHash } from "./address.js";
import { makeForm } from "./form.js";
import { makeExperiment } from "./experiment.js";
import { makeReader, megabytes } from "./reader.js";

const REST = 400; // milliseconds after which the address is written
const ABSENT = "This copy of the figure comes without the model, so it keeps to the stored sentences. "
  + "In Python, load_minilm() reads any sentence.";

/** What the map shows, in words: `told` for one head, after a sentence on the colors. */
function legend(table, token, layer, head) {
  if (!table) return ["Each square is a head's whole matrix, first sentence: a row for each token that asks.", `Head ${layer}.${head} is framed.`];
  const moved = `In head ${layer}.${head} “${token}” moves ${fixed(table[layer][head])}.`;
  return ["The stronger a square's color, the more of its weight the token moves from one sentence to the other.", moved];
}

function render({ model, el }) {
  const examples = model.get("texts"), own = examples.length / 2, root = document.documentElement.dataset.content_root;
  const stored = new Map(examples.map((text, i) => [text, { tokens: model.get("tokens")[i],
    weights: unpack(model.get("weights")[i], model.get("tokens")[i].length) }]));
  const published = root !== undefined, base = `${root}_static/minilm/`;
  const reader = makeReader(stored, openModel, (bytes, total) => {
    form.progress(bytes / total);
    if (reader.ready() && !reader.loads()) form.say(`Loading what these words need: ${megabytes(bytes)}.`);
  });
  let shown = { texts: [], readings: [] }, touched = false, asked = false, sizes = null, timer;

  const ask = (place) => write(model, { word: place + 1 });
  const sides = [makeSide(ask), makeSide((place) => ask(partner(shown.readings[1].tokens, shown.readings[0].tokens, place)))];
  const map = makeMap((layer, head) => write(model, { layer, head }));
  const form = makeForm({ open: look, change: () => { write(model, { pair: own }); readForm(); }, load, words, stop: () => reader.stop(), link });
  const colours = htmlNode("span"), told = htmlNode("span"), heading = htmlNode("div", { className: "aw-heading", textContent: "All 72 heads. Tap one." });
  const kind = htmlNode("button", { type: "button", textContent: "Show every head's whole matrix", onclick: () => write(model, { matrices: !model.get("matrices") }) });
  const row = (...children) => htmlNode("div", { className: "aw-columns" }, ...children);
  el.classList.add("aw-view", "aw-own-sentence");
  const experiment = makeExperiment(model.get("pairs"), { run: reader.run, ready: reader.ready,
    chosen: () => model.get("layer") * N_HEADS + model.get("head"),
    choose: (k) => write(model, { layer: Math.floor(k / N_HEADS), head: k % N_HEADS }) });
  experiment.hidden = !published;
  el.append(form.node, experiment, row(...sides.map((side) => side.arcs)),
    row(htmlNode("div", { className: "aw-map" }, heading, map.svg), htmlNode("div", { className: "aw-caption" }, colours, " ", told, kind)),
    row(...sides.map((side) => side.matrix)), htmlNode("p", { className: "aw-hint",
      textContent: "Rows ask, columns are looked at. Weights in hundredths; what rounds to 0 is left blank." }));

  function show(texts, readings) {
    shown = { texts, readings };
    sides.forEach((side, i) => side.fill(readings[i], ending(texts[i] ?? "")));
    map.setMatrices(readings[0]);
    const n = readings[0].tokens.length, asks = model.get("word");
    write(model, { n_tokens: n, word: asks >= n && n > 2 ? n - 1 : asks }); // [SEP] says little
    redraw();
  }

  async function readForm() {
    const texts = form.texts();
    reader.drop();
    form.mark(-1);
    if (!texts[0]) {
      form.mark(0);
      return form.say("Write a sentence of at least one word. The last one stays in view.");
    }
    if (!reader.ready() && !reader.knows(texts)) return form.say("To read this, the page needs the model. Press “Load the model”.");
    const slow = setTimeout(() => form.say("Reading …"), REST);
    try {
      const readings = await reader.read(texts);
      clearTimeout(slow);
      if (!readings) return undefined; // newer texts overtook these
      show(texts, readings);
      form.say(`${readings.filter(Boolean).map((one) => `${one.tokens.length} tokens`).join(" and ")}. `
        + `In head ${model.get("layer")}.${model.get("head")} ${sides[0].says()}.`);
    } catch (error) {
      clearTimeout(slow);
      form.mark(error.place);
      form.say(`${error.message} The last sentence that could be read stays in view.`);
    }
    return undefined;
  }

  /** Ask once, when the form is opened, whether the model is there and what it costs. */
  async function look() {
    if (asked) return;
    asked = true;
    try {
      sizes = published ? await readSizes(base) : null;
      experiment.hidden = !sizes;
      if (!sizes) form.say(ABSENT);
      form.state(sizes ? "idle" : "absent", sizes?.first);
    } catch (error) {
      asked = false; // opening the form again asks again
      form.say(error.message);
    }
  }

  async function load() {
    form.state("loading");
    form.progress(0);
    form.say("Loading the model. It stays on your machine, and so do your sentences.");
    try {
      await reader.load(base);
      form.state("ready", sizes.total - sizes.first);
      form.say("The model is here. Write a sentence.");
      await readForm();
    } catch (error) {
      form.state("idle");
      form.say(error.name === "AbortError" ? "Stopped. You can load the model whenever you like."
        : `${error.message} The stored sentences are still here.`);
    }
  }

  /** The rows of all words: what is left to load, for whoever will have no network. */
  async function words() {
    form.state("loading");
    try {
      await reader.loadWords();
      form.state("done");
      form.say("All words are here. Until you close this page it needs no network.");
    } catch (error) {
      form.state("ready", sizes.total - sizes.first);
      form.say(error.name === "AbortError" ? "Stopped. What has arrived is kept." : error.message);
    }
  }

  const here = () => toHash({ first: shown.texts[0], second: shown.texts[1], layer: model.get("layer"), head: model.get("head"), word: model.get("word") });
  async function link() {
    history.replaceState(null, "", here());
    try {
      await navigator.clipboard.writeText(location.href);
      form.say("The link is copied. It opens this page with these sentences, this head and this token.");
    } catch {
      form.say("The link could not be copied. It is in the address bar now: copy it from there.");
    }
  }
  /** Write what is shown into the address, once the reader has changed something and
   *  unless a sentence still waits to be read. */
  function remember() {
    clearTimeout(timer);
    if (touched && published) timer = setTimeout(() => {
      const waits = form.texts().some((text, i) => text !== (shown.texts[i] ?? ""));
      if (!waits) history.replaceState(null, "", here());
    }, REST);
  }
  /** Show what the address says. */
  function follow() {
    const said = root === undefined ? null : fromHash(location.hash);
    if (!said) return;
    const { first, second, ...place } = said, pair = examples.findIndex((text, i) => i % 2 === 0 && text === first && examples[i + 1] === second);
    write(model, { ...place, pair: pair < 0 ? own : pair / 2 });
    form.fill([first, second]);
    form.open();
    readForm();
    const come = () => el.scrollIntoView({ block: "start" });
    if (el.isConnected) come();
    else document.addEventListener("nk:mounted", come, { once: true });
  }
  function choosePair() {
    const pair = model.get("pair");
    if (pair >= own) return form.open();
    form.fill(examples.slice(2 * pair, 2 * pair + 2));
    form.say("");
    return show(form.texts(), form.texts().map((text) => stored.get(text)));
  }
  function redraw() {
    const [first, second] = shown.readings, [layer, head] = [model.get("layer"), model.get("head")];
    const place = Math.min(model.get("word"), first.tokens.length) - 1;
    const table = model.get("matrices") ? null : changes(first, second, place);
    kind.hidden = !changes(first, second, place);
    kind.setAttribute("aria-pressed", model.get("matrices"));
    map.show(!table);
    map.setChanges(table);
    map.mark(layer, head);
    [colours.textContent] = legend(table, first.tokens[place], layer, head);
    retell(told, legend(table, first.tokens[place], layer, head)[1]);
    map.svg.speak(`Head ${layer}.${head} of 72. ${told.textContent}`);
    sides[0].set(layer, head, place);
    sides[1].set(layer, head, second && partner(first.tokens, second.tokens, place));
    remember();
  }

  form.state("asking");
  choosePair();
  if (!shown.readings.length) show(examples.slice(0, 2), examples.slice(0, 2).map((text) => stored.get(text)));
  const stops = [redrawOn(model, ["layer", "head", "word", "matrices"], redraw), redrawOn(model, ["pair"], choosePair)];
  touched = true;
  follow();
  window.addEventListener("hashchange", follow);
  return () => {
    window.removeEventListener("hashchange", follow);
    clearTimeout(timer);
    stops.forEach((stop) => stop());
    reader.close();
  };
}

export default { render };
