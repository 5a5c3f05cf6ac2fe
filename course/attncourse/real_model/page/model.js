// The model as a whole: takes the pieces as they come, then reads texts.
import { layerNorm, layerRows, layerWeights } from "./encoder.js";
import { addRow, readArrays, readMatrix, totalBytes } from "./weights.js";
import { readCharacters, readVocabulary, tokenize } from "./wordpiece.js";

const KEPT = 1000; // tokens whose rows are kept: they take about as much as the model

export class PageModel {
  constructor(manifest) {
    this.manifest = manifest;
    this.bytes = new Uint8Array(totalBytes(manifest));
    this.words = new Map(); // by number: the rows of some consecutive ids
    this.kept = new Map(); // by ids: what enters each layer, of the texts run last
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

  // Give the list of what enters each layer, as far as it is known, of a text as it is.
  known(ids) {
    const text = ids.join(), rows = this.kept.get(text)?.rows ?? [];
    this.kept.delete(text);
    this.kept.set(text, { rows, n: ids.length });
    let n = 0;
    for (const [old, one] of [...this.kept].reverse()) if ((n += one.n) > KEPT) this.kept.delete(old);
    return rows;
  }

  // Run the layers one by one: yields each layer's weights, (head, query, key).
  // patch: { layer, to, row }: after that many layers, row `to` is replaced by `row`.
  *weights(ids, { cut = [], patch = null } = {}) {
    let layer = 0;
    for (const { weights } of this.steps(ids, { cut, patch })) {
      yield weights;
      if (++layer === this.manifest.nLayers) return; // nobody asks what the last one gives
    }
  }

  // The row of one token after some layers, to be put into another text.
  *row(ids, layer, from) {
    const { dModel } = this.manifest;
    let depth = 0;
    for (const { rows } of this.steps(ids)) {
      if (depth++ === layer) return rows.slice(from * dModel, (from + 1) * dModel);
      yield;
    }
  }

  // Yield what enters each layer, with the layer's weights, then what the last one gives.
  *steps(ids, { cut = [], patch = null } = {}) {
    const { nLayers, dModel } = this.manifest, n = ids.length;
    let known = this.known(ids);
    let rows = (known[0] ??= this.embed(ids));
    for (let layer = 0; ; layer++) {
      if (patch?.layer === layer) {
        known = []; // from here on the text is not as it was
        rows = rows.slice();
        rows.set(patch.row, patch.to * dModel);
      }
      if (layer === nLayers) return yield { rows };
      const own = cut.filter((one) => one.layer === layer);
      if (own.length) known = [];
      const get = (name) => this.array(`${layer}.${name}`);
      const weights = layerWeights(rows, n, get, this.manifest, cutting(own));
      yield { rows, weights };
      rows = known[layer + 1] ??= layerRows(rows, weights, n, get, this.manifest);
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

// Turn a list of { head, query, key } into a function of a layer's connections. Without a
// query or a key it is all of them.
function cutting(cut) {
  return (head, query, key) =>
    cut.some(
      (one) =>
        one.head === head && (one.query ?? query) === query && (one.key ?? key) === key,
    );
}
