// What a configuration costs, from its layers: pure functions, the same as in Python.

/** How many tokens' rows a layer keeps. */
export function rowsKept(layer, tokens) {
  return layer.window ? Math.min(tokens, layer.window) : tokens;
}

/** Bytes that all layers keep after so many tokens; null where they are refused. */
export function cacheSizeOf(described, tokens, bits) {
  if (described.refused.cache_bytes) return null;
  const each = described.kinds.map((layer) => rowsKept(layer, tokens) * layer.row + layer.state);
  return (bits / 8) * described.order.reduce((sum, i) => sum + each[i], 0);
}

/** Multiplications a byte when one token is written, with weights of 16 bits. */
export function writingCost(described, tokens, bits) {
  if (described.matrices === null) return null;
  const each = described.kinds.map((layer) => rowsKept(layer, tokens) * layer.perKey + 3 * layer.state);
  const mixing = described.order.reduce((sum, i) => sum + each[i], 0);
  return (described.matrices + mixing) / (2 * described.fetched + cacheSizeOf(described, tokens, bits));
}

/** The same when all the tokens are read at once. */
export function readingCost(described, tokens, bits) {
  if (described.matrices === null) return null;
  const each = described.kinds.map((layer) => {
    const full = rowsKept(layer, tokens), seen = (full * (full + 1)) / 2 + (tokens - full) * full;
    return layer.perKey * seen + tokens * 3 * layer.state;
  });
  const mixing = described.order.reduce((sum, i) => sum + each[i], 0);
  const once = tokens * (described.matrices - described.output) + described.output;
  const weights = 2 * (described.fetched + described.n_parameters - described.n_active_parameters);
  return (once + mixing) / (weights + cacheSizeOf(described, tokens, bits));
}

/** Equal layers together: [how many, the layer], in order of the first of each. */
export function alike(described, keyOf) {
  const counts = new Map();
  for (const i of described.order) {
    const layer = described.kinds[i], key = keyOf(layer);
    counts.set(key, [(counts.get(key)?.[0] ?? 0) + 1, layer]);
  }
  return [...counts.values()];
}

/** The cache written out: one line for each kind of layer. */
export function cacheEquation(described, tokens, bits) {
  const many = (x) => x.toLocaleString("en");
  return alike(described, (layer) => `${layer.kind} ${layer.window} ${layer.row} ${layer.state}`)
    .filter(([, layer]) => layer.row || layer.state)
    .map(([n, layer]) => {
      const kept = rowsKept(layer, tokens), rows = `${many(kept)} tokens × ${many(layer.row)} numbers`;
      const state = `${many(layer.state)} numbers of state`;
      const inside = layer.row && layer.state ? `(${rows} + ${state})` : layer.row ? rows : state;
      const total = (n * (kept * layer.row + layer.state) * bits) / 8;
      return `${n} × ${layer.kind.replace("_", " ")}: ${inside} × ${bits} bits = ${many(total)} bytes`;
    });
}

/** A count in words: 8.03 billion, 124 million. */
export function inWords(count) {
  const [unit, name] = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]].find(([u]) => count >= u) ?? [1, ""];
  return `${Number((count / unit).toPrecision(4)).toLocaleString("en")} ${name}`.trim();
}

/** Bytes in GiB, MiB or KiB. */
export function inBytes(count) {
  const [unit, name] = count >= 2 ** 30 ? [2 ** 30, "GiB"] : count >= 2 ** 20 ? [2 ** 20, "MiB"] : [2 ** 10, "KiB"];
  return `${Number((count / unit).toPrecision(3)).toLocaleString("en")} ${name}`;
}
