// What a configuration costs, from its layers: pure functions, the same as in Python.

/** How many rows n tokens leave, by a rule: at most so many, one for `per`, or the rest. */
export function rowsOf(rule, tokens) {
  if (!rule) return 1;
  const rows = rule.rest ? tokens % rule.per : Math.floor(tokens / rule.per);
  return rule.most === null ? rows : Math.min(rows, rule.most);
}

/** The rows after 1, 2, … n tokens, added up. */
function rowsOfAll(rule, tokens) {
  if (!rule) return tokens;
  const growing = rule.most === null ? tokens : Math.min(tokens, rule.per * rule.most);
  const full = Math.floor(growing / rule.per);
  const seen = (rule.per * full * (full - 1)) / 2 + full * (growing - full * rule.per + 1);
  return seen + (tokens - growing) * rowsOf(rule, tokens);
}

/** A number with commas. */
export const many = (x) => x.toLocaleString("en");

/** A product that is written out, as `W^Q: 32 × 4,096`, and what it comes to. */
export function multiplied(line) {
  const factors = line.slice(line.lastIndexOf(": ") + 2).replaceAll(",", "").split(" × ");
  return `${line} = ${many(factors.reduce((product, factor) => product * factor, 1))}`;
}

/** The equation of each array that is learned, as many times as it is there. */
export function parametersOf({ outside, order, kinds }) {
  const counts = new Map();
  for (const line of [outside, ...order.map((k) => kinds[k].parts)].flat()) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, n]) => multiplied(n > 1 ? line.replace(/(.*: )/, `$1${many(n)} × `) : line));
}

const sum = (list, of) => list.reduce((total, each) => total + of(each), 0);
const overLayers = (described, of) => {
  const each = described.kinds.map(of);
  return sum(described.order, (i) => each[i]);
};

/** The numbers that a layer keeps after so many tokens. */
export function numbersKept(layer, tokens) {
  return sum(layer.kept, (kept) => kept.row * rowsOf(kept.rows, tokens));
}

/** Bytes that all layers keep after so many tokens; null where they are refused. */
export function cacheSizeOf(described, tokens, bits) {
  if (described.refused.cache_bytes) return null;
  return overLayers(described, (layer) =>
    sum(layer.kept, (kept) => kept.row * rowsOf(kept.rows, tokens) * (kept.bytes ?? bits / 8)));
}

/** Bytes of them that one query reads: where others choose keys for it, those alone. */
export function cacheReadOf(described, tokens, bits) {
  return overLayers(described, (layer) => sum(layer.kept, (kept) => {
    const rows = rowsOf(kept.rows, tokens), read = kept.rows && kept.reads !== null ? Math.min(rows, kept.reads) : rows;
    return kept.row * read * (kept.bytes ?? bits / 8);
  }));
}

/** Multiplications a byte when one token is written, with weights of 16 bits. */
export function writingCost(described, tokens, bits) {
  if (described.matrices === null) return null;
  const mixing = overLayers(described, (layer) => sum(layer.work, (work) => work.each * rowsOf(work.rows, tokens)));
  return (described.matrices + mixing) / (2 * described.fetched + cacheReadOf(described, tokens, bits));
}

/** The same when all the tokens are read at once. */
export function readingCost(described, tokens, bits) {
  if (described.matrices === null) return null;
  const mixing = overLayers(described, (layer) => sum(layer.work, (work) => work.each * rowsOfAll(work.rows, tokens)));
  const once = tokens * (described.matrices - described.output) + described.output;
  return (once + mixing) / (2 * described.all + cacheSizeOf(described, tokens, bits));
}

/** The cache written out: one line for what equal layers keep in equally many rows. */
export function cacheEquation(described, tokens, bits) {
  const groups = new Map();
  for (const i of described.order) {
    const own = new Map();
    for (const kept of described.kinds[i].kept) {
      const key = JSON.stringify([kept.rows, kept.bytes]), group = own.get(key) ?? { ...kept, row: 0, state: !kept.rows };
      own.set(key, { ...group, row: group.row + kept.row });
    }
    for (const group of own.values()) {
      const key = JSON.stringify([described.kinds[i].kind, group.row, group.rows, group.bytes]);
      const found = groups.get(key) ?? { ...group, kind: described.kinds[i].kind, n: 0 };
      groups.set(key, { ...found, n: found.n + 1 });
    }
  }
  return [...groups.values()].map(({ n, kind, row, rows, bytes, state }) => {
    const kept = rowsOf(rows, tokens), each = bytes ? 8 * bytes : bits;
    const inside = state ? `${many(row)} numbers of state` : `${many(kept)} tokens × ${many(row)} numbers`;
    return `${n} × ${kind.replace("_", " ")}: ${inside} × ${each} bits = ${many((n * kept * row * each) / 8)} bytes`;
  });
}
