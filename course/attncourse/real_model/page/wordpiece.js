// Words cut into the longest pieces that a vocabulary has: wordpiece.py once more.

const LONGEST = 100; // characters: a longer word is unknown, as in BERT
const SPECIAL = /(\[(?:CLS|SEP|UNK|PAD|MASK)\])/; // typed like this, they stay
// Control, format, private use, surrogates. What is not assigned yet is kept.
const DROPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
// Chinese, Japanese and Korean ideographs: each is a word of its own.
const IDEOGRAPH = new RegExp(
  "[\\u4e00-\\u9fff\\u3400-\\u4dbf\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2b73f}" +
    "\\u{2b740}-\\u{2b81f}\\u{2b920}-\\u{2ceaf}\\uf900-\\ufaff\\u{2f800}-\\u{2fa1f}]",
  "gu",
);
const ACCENT = /\p{Mn}/gu;
// Punctuation: for ASCII all that is no letter, digit or space.
const MARK = /[!-/:-@[-`{-~]|\p{P}/gu;

// Read a vocab.txt: one token a line. The map goes from a token to its id, its place.
export function readVocabulary(text) {
  return new Map(text.replace(/\n$/, "").split("\n").map((token, id) => [token, id]));
}

// Cut text into tokens, between [CLS] and [SEP].
export function tokenize(text, vocabulary) {
  const plain = (part) => splitWords(part).flatMap((word) => pieces(word, vocabulary));
  const isSpecial = (part, i) => i % 2 && vocabulary.has(part); // by turns
  const parts = text.split(SPECIAL).map((part, i) => (isSpecial(part, i) ? [part] : plain(part)));
  return ["[CLS]", ...parts.flat(), "[SEP]"];
}

// Split at spaces and around punctuation, in lower case and without accents.
export function splitWords(text) {
  const spaced = text.replace(/[\t\n\r]/g, " ").replace(DROPPED, "").replace(IDEOGRAPH, " $& ");
  const plain = spaced.normalize("NFD").replace(ACCENT, "");
  // One character at a time: a final sigma is a sigma like any other.
  const lower = Array.from(plain, (character) => character.toLowerCase()).join("");
  return lower.replace(MARK, " $& ").split(/\s+/).filter(Boolean);
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
