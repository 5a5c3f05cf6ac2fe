// What a model writes when it goes on by itself, and the run that it is given to begin with.
import { forward } from "./network.js";

/** Go on from a prompt, always with the likeliest symbol, until the text has `length`. */
export function goOn(model, prompt, length) {
  const ids = prompt.slice();
  while (ids.length < length) {
    const { logits } = forward(model, ids, ids.length), d = logits.columns;
    const last = logits.data.subarray((ids.length - 1) * d, ids.length * d);
    ids.push(last.indexOf(last.reduce((a, b) => Math.max(a, b))));
  }
  return ids.slice(prompt.length);
}

/** How many symbols are those with which the run goes on, after it and its first one. */
export function copied(wrote, run) {
  return wrote.filter((id, i) => id === run[(i + 1) % run.length]).length;
}

/** The symbols of a run as typed, or what is wrong with it. */
export function readRun(typed, alphabet, [least, most]) {
  const letters = [...typed.toUpperCase().replace(/\s/g, "")];
  const strange = letters.find((letter) => !alphabet.includes(letter));
  const last = alphabet.at(-1), n = letters.length;
  if (strange) return { wrong: `“${strange}” is not one of its letters, ${alphabet[0]} to ${last}.` };
  if (n < least || n > most) return { wrong: `A run has ${least} to ${most} letters: this has ${n}.` };
  return { run: letters.map((letter) => alphabet.indexOf(letter)) };
}
