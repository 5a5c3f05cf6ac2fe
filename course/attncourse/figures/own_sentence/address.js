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
