// The model as a whole: takes the pieces as they come, then reads texts.
import { encodeLayer, layerNorm } from "./encoder.js";
import { addRow, readArrays, readMatrix, totalBytes } from "./weights.js";
import { readCharacters, readVocabulary, tokenize } from "./wordpiece.js";

export class PageModel {
  constructor(manifest) {
    this.manifest = manifest;
    this.bytes = new Uint8Array(totalBytes(manifest));
    this.words = new Map(); // by number: the rows of some consecutive ids
  }

  // Take in one piece of those that the manifest lists.
  add(name, bytes) {
    const [kind, number] = name.split("-");
    if (kind === "vocabulary") {
      this.vocabulary = readVocabulary(new TextDecoder().decode(bytes));
    }
    if (kind === "characters") this.is = readCharacters(new TextDecoder().decode(bytes));
    if (kind === "weights") this.bytes.set(bytes, number * this.manifest.bytesAPiece);
    if (kind === "words") this.words.set(Number(number), this.readWords(bytes));
  }

  readWords(bytes) {
    const { group, dModel } = this.manifest;
    const nRows = bytes.length / (dModel + (2 * dModel) / group);
    return readMatrix(bytes, 0, nRows, dModel, group);
  }

  // Cut a text into tokens, with their ids. Throws if the model cannot read it.
  read(text) {
    if (!text.trim()) throw new Error("There is no text yet. Type a sentence.");
    const tokens = tokenize(text, this.vocabulary, this.is);
    const most = this.manifest.mostTokens;
    if (tokens.length > most) {
      const long = `This text has ${tokens.length} tokens`;
      throw new Error(`${long}, and the model reads at most ${most}. Please shorten it.`);
    }
    return { tokens, ids: Int32Array.from(tokens, (token) => this.vocabulary.get(token)) };
  }

  // Name the pieces that hold these tokens' rows and have not come yet.
  missing(ids) {
    const pieces = new Set(Array.from(ids, (id) => Math.floor(id / this.manifest.idsAPiece)));
    return [...pieces].filter((i) => !this.words.has(i)).map((i) => `words-${i}`);
  }

  // Give the rows that enter the first layer.
  embed(ids) {
    const { dModel, idsAPiece, eps } = this.manifest;
    const rows = new Float32Array(ids.length * dModel);
    const [positions, kind, gain, bias] = this.manifest.shared.map(([name]) => this.array(name));
    ids.forEach((id, i) => {
      rows.set(kind, i * dModel);
      addRow(rows, i * dModel, positions, i);
      addRow(rows, i * dModel, this.words.get(Math.floor(id / idsAPiece)), id % idsAPiece);
    });
    return layerNorm(rows, gain, bias, eps);
  }

  array(name) {
    this.arrays ??= readArrays(this.bytes, this.manifest);
    return this.arrays.get(name);
  }

  // Run the layers one by one: yields each layer's weights, (head, query, key).
  // patch: { layer, to, row }: after that many layers, row `to` is replaced by `row`.
  *weights(ids, { cut = [], patch = null } = {}) {
    for (const { weights } of this.steps(ids, { cut, patch })) if (weights) yield weights;
  }

  // The row of one token after some layers, to be put into another text.
  *row(ids, layer, from) {
    const { dModel } = this.manifest;
    let depth = 0;
    for (const { rows } of this.steps(ids, {})) {
      if (depth++ === layer) return rows.slice(from * dModel, (from + 1) * dModel);
      yield;
    }
  }

  // Yield what enters the first layer, then what each layer gives, with its weights.
  *steps(ids, { cut = [], patch = null }) {
    const { nLayers, dModel } = this.manifest;
    let rows = this.embed(ids);
    let weights = null;
    for (let layer = 0; layer <= nLayers; layer++) {
      if (patch?.layer === layer) rows.set(patch.row, patch.to * dModel);
      yield { rows, weights };
      if (layer === nLayers) return;
      const get = (name) => this.array(`${layer}.${name}`);
      ({ rows, weights } = encodeLayer(rows, ids.length, get, this.manifest, cutting(cut, layer)));
    }
  }
}

// Refuse cuts and patches that are not inside this text, or this model.
export function checkChanges({ cut = [], patch = null }, { nLayers, nHeads }, n, nOther) {
  const below = (number, limit) => Number.isInteger(number) && number >= 0 && number < limit;
  const isInside = ({ layer, head, query = 0, key = 0 }) =>
    below(layer, nLayers) && below(head, nHeads) && below(query, n) && below(key, n);
  const wrong = cut.find((one) => !isInside(one));
  if (wrong) throw new Error(`There is no such connection to cut: ${JSON.stringify(wrong)}.`);
  if (!patch) return;
  const { layer, to, from } = patch;
  if (below(layer, nLayers + 1) && below(to, n) && below(from, nOther)) return;
  throw new Error(`There is no such row to replace: ${JSON.stringify(patch)}.`);
}

// Turn a list of { layer, head, query, key } into a function of one layer's connections.
// Without a query or a key it is all of them.
function cutting(cut, layer) {
  const own = cut.filter((one) => one.layer === layer);
  return (head, query, key) =>
    own.some(
      (one) =>
        one.head === head && (one.query ?? query) === query && (one.key ?? key) === key,
    );
}
