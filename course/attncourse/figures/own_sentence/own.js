// The reader's own sentences: the model's loading, reading what is typed, what to say of it.


// Reads sentences: stored ones at once, others by the model, once the reader has loaded it.

const KEPT = 24; // readings that are kept, so that going back costs nothing

/** A size as a reader would say it: "12 MB". */
export function megabytes(bytes) {
  return `${Math.max(Math.ceil(bytes / 1e6), 1)} MB`;
}

/** `open` is the engine's openModel; `tell(bytes, total)` hears of what is being loaded.
 *
 *  reader.load() resolves when the model is there, reader.stop() ends a load;
 *  reader.read(texts) resolves to their readings, or to null if newer texts, or drop(),
 *  overtook them. */
export function makeReader(stored, open, tell) {
  const kept = new Map();
  let engine = null, loading = null, turn = 0;
  const readOne = async (text) => {
    if (stored.has(text)) return stored.get(text);
    if (!kept.has(text)) {
      const { tokens, weights } = await engine.run(text);
      kept.set(text, { tokens: [...tokens], weights });
      if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    }
    return kept.get(text);
  };
  return {
    ready: () => engine !== null,
    loads: () => loading !== null,
    knows: (texts) => texts.every((text) => !text || stored.has(text) || kept.has(text)),
    async load(base) {
      loading = new AbortController();
      try {
        engine = await open({ base, onProgress: tell, signal: loading.signal });
      } finally {
        loading = null;
      }
    },
    async loadWords() {
      loading = new AbortController();
      try {
        await engine.loadAll({ onProgress: tell, signal: loading.signal });
      } finally {
        loading = null;
      }
    },
    stop: () => loading?.abort(),
    run: (text, options) => engine.run(text, { slot: "experiment", ...options }),
    drop: () => { turn += 1; }, // what is being read is no longer wanted
    async read(texts) {
      const mine = ++turn, readings = [];
      for (const text of texts) {
        try {
          readings.push(text ? await readOne(text) : null);
        } catch (error) {
          if (mine !== turn || error.name === "AbortError") return null;
          throw Object.assign(error, { place: readings.length });
        }
        if (mine !== turn) return null;
      }
      return readings;
    },
    close() {
      turn += 1;
      loading?.abort();
      engine?.close();
    },
  };
}

const SLOW = 400; // milliseconds after which a reading is said to be going on
const ABSENT = "This copy of the figure comes without the model, so it keeps to the stored sentences. "
  + "In Python, load_minilm() reads any sentence.";

/** How many words are cut, and the first that is, in its pieces. */
function cutWords(tokens) {
  const starts = tokens.flatMap((token, i) =>
    tokens[i + 1]?.startsWith("##") && !token.startsWith("##") ? [i] : []);
  const ends = (i) => tokens.findIndex((token, j) => j > i && !token.startsWith("##"));
  return { count: starts.length, first: starts.length && tokens.slice(starts[0], ends(starts[0])).join(" ") };
}

/** What was read, in words: how many tokens, and whether the model knows its words. */
export function counted(readings) {
  const all = readings.filter(Boolean).map(({ tokens }) => tokens);
  const { count, first } = cutWords(all.flat());
  const cut = count === 1 ? `One word is not in its English vocabulary, so it reads pieces: ${first}.`
    : `${count} words are not in its English vocabulary, so it reads pieces, such as ${first}.`;
  const unknown = all.flat().filter((token) => token === "[UNK]").length;
  const words = unknown === 1 ? "One word is" : `${unknown} words are`;
  return `${all.map((tokens) => `${tokens.length} tokens`).join(" and ")}.`
    + (unknown ? ` ${words} not in the model's vocabulary: it reads [UNK] instead.` : "")
    + (count ? ` ${cut}` : "");
}

/** `form`, `reader` and `picture` are the figure's; readSizes(base) says what the model
 *  costs, or null where it is not there; absent() is told so. */
export function makeOwn({ form, reader, picture, model, base, readSizes, absent }) {
  let asked = false, sizes = null, told = "", newest = null, slow = null; // while a reading is wanted

  /** Say what was read, and where the token that asks looks in the head that is shown. */
  function tell() {
    if (told) form.say(`${told} In head ${model.get("layer")}.${model.get("head")} ${picture.says()}.`);
  }

  /** What is being read is no longer wanted, nor said to take long. */
  function drop() {
    reader.drop();
    clearTimeout(slow);
    slow = null;
    told = "";
  }

  /** Read what the form says, and show it if it can be read. */
  async function read() {
    const texts = form.texts();
    drop();
    form.mark(-1);
    if (!texts[0]) {
      form.mark(0);
      return form.say("Write a sentence of at least one word. The last one stays in view.");
    }
    if (!reader.ready() && !reader.knows(texts)) return form.say("To read this, the page needs the model. Press “Load the model”.");
    const mine = slow = setTimeout(() => form.say("Reading …"), SLOW);
    try {
      const readings = await reader.read(texts);
      if (!readings) return undefined; // newer texts overtook these
      told = counted(readings);
      picture.show(texts, readings, texts[0] === newest ? null : "it");
      newest = texts[0];
      tell();
    } catch (error) {
      form.mark(error.place);
      form.say(`${error.message} The last sentence that could be read stays in view.`);
    } finally {
      clearTimeout(mine);
      if (slow === mine) slow = null;
    }
    return undefined;
  }

  /** Ask once, when the form is opened, whether the model is there and what it costs. */
  async function look() {
    if (asked) return;
    asked = true;
    try {
      sizes = base ? await readSizes(base) : null;
      if (!sizes) {
        absent();
        form.say(ABSENT);
      }
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
      await read();
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
  /** The first sentence keeps the token that asks: an address has said which. */
  const keep = (text) => { newest = text; };
  return { read, look, load, words, tell, keep, drop, reads: () => slow !== null && !reader.loads() };
}
