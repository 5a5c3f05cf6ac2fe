// Words cut into the longest pieces that a vocabulary has: wordpiece.py once more.

const LONGEST = 100; // characters: a longer word is unknown, as in BERT
const SPECIAL = /(\[(?:CLS|SEP|UNK|PAD|MASK)\])/; // typed like this, they stay
const SURROGATE = /\p{Cs}/gu; // alone it is no character

// Read the table of what each character is to the published tokenizer: for each kind a
// pattern. See wordpiece.py. The browser's own Unicode is newer, and does not count.
export function readCharacters(text) {
  const escape = (ranges) => ranges.replace(/[0-9a-f]+/g, "\\u{$&}").replaceAll(" ", "");
  const kinds = Object.entries(JSON.parse(text));
  return Object.fromEntries(kinds.map(([k, ranges]) => [k, new RegExp(`[${escape(ranges)}]`, "gu")]));
}

// Read a vocab.txt: one token a line. The map goes from a token to its id, its place.
export function readVocabulary(text) {
  return new Map(text.replace(/\n$/, "").split("\n").map((token, id) => [token, id]));
}

// Cut text into tokens, between [CLS] and [SEP].
export function tokenize(text, vocabulary, is) {
  const plain = (part) => splitWords(part, is).flatMap((word) => pieces(word, vocabulary));
  const isSpecial = (part, i) => i % 2 && vocabulary.has(part); // by turns
  const parts = text.split(SPECIAL).map((part, i) => (isSpecial(part, i) ? [part] : plain(part)));
  return ["[CLS]", ...parts.flat(), "[SEP]"];
}

// Split at spaces and around punctuation, in lower case and without accents.
export function splitWords(text, is) {
  const spaced = text.replace(SURROGATE, "").replace(is.dropped, "").replace(is.ideographs, " $& ");
  const plain = spaced.normalize("NFD").replace(is.accents, "");
  // One character at a time: a final sigma is a sigma like any other.
  const lower = Array.from(plain, (character) => character.toLowerCase()).join("");
  return lower.replace(is.marks, " $& ").split(/\s+/).filter(Boolean);
}

// Cut one word: again and again the longest piece that the vocabulary has.
export function pieces(word, vocabulary) {
  const characters = [...word];
  const found = [];
  let start = 0;
  while (start < characters.length && characters.length <= LONGEST) {
    let end = characters.length;
    const candidate = () => (start ? "##" : "") + characters.slice(start, end).join("");
    while (end > start && !vocabulary.has(candidate())) end -= 1;
    if (end === start) break;
    found.push(candidate());
    start = end;
  }
  return start === characters.length ? found : ["[UNK]"];
}
