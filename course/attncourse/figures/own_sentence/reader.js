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
