// Lesson 12: what the heads of a real model look at, in stored sentences and the reader's.
import { redrawOn } from "../kit/draw.js";
import { write } from "../kit/drag.js";
import { openModel, readSizes } from "../../real_model/page/client.js";
import { N_HEADS, unpack } from "./weights.js";
import { makePicture } from "./picture.js";
import { makeForm } from "./form.js";
import { makeExperiment } from "./experiment.js";
import { makeReader, megabytes } from "./reader.js";
import { makeOwn } from "./own.js";
import { makeSending } from "./sending.js";

/** The stored sentences by their text, as the model would read them. */
function unpackAll(model) {
  const [tokens, weights] = [model.get("tokens"), model.get("weights")];
  const read = (i) => ({ tokens: tokens[i], weights: unpack(weights[i], tokens[i].length) });
  return new Map(model.get("texts").map((text, i) => [text, read(i)]));
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
    if (published) sending.remember();
  });
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
    own.quiet();
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
  window.addEventListener("hashchange", follow);
  return () => {
    window.removeEventListener("hashchange", follow);
    sending.stop();
    stops.forEach((stop) => stop());
    reader.close();
  };
}

export default { render };
