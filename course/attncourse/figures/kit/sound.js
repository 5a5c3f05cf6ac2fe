// A row of weights as tones, once the reader turns it on; words say the same.
import { htmlNode } from "./draw.js";
import { lookUp } from "./read.js";

const AT_REST = 900; // milliseconds after a change: first it is said, and then played
const EACH = 0.3, SWEEP = 1.2, SOUNDS = 24; // seconds, and points of a sweep
const MIDDLE = 330, OCTAVE = 4; // hertz of score 0, and by how much more it doubles
const LOWEST = 82, HIGHEST = 1319, LOUDEST = 0.3;

/** The pitch of a score: the same in every figure and state, within four octaves. */
export function hertzOf(score) {
  return Math.min(Math.max(MIDDLE * 2 ** (score / OCTAVE), LOWEST), HIGHEST);
}

/** A tone for each word, from left to right: [{ at, hertz, gain, pan }]. Without scores the
 *  logarithms of the weights are, as softmax takes them. */
export function tonesOf(weights, scores = weights.map(Math.log)) {
  const last = Math.max(weights.length - 1, 1);
  return weights.map((weight, j) => ({ at: j * EACH, hertz: hertzOf(scores[j]), gain: LOUDEST * weight, pan: (2 * j) / last - 1 }));
}

/** The exponential from the lowest to the highest score: pitch rises evenly, loudness as it. */
export function sweepOf(scores) {
  const low = Math.min(...scores), high = Math.max(...scores);
  return Array.from({ length: SOUNDS + 1 }, (_, k) => {
    const score = low + ((high - low) * k) / SOUNDS;
    return { at: (SWEEP * k) / SOUNDS, hertz: hertzOf(score), gain: LOUDEST * Math.exp(score - high) };
  });
}

function voice(context, pan = 0) {
  const tone = context.createOscillator(), loud = context.createGain(), side = context.createStereoPanner();
  [side.pan.value, loud.gain.value] = [pan, 0];
  tone.connect(loud).connect(side).connect(context.destination);
  return { tone, loud };
}

/** Play tones one after the other, or with glide as one; returns a stop. */
export function play(context, points, glide = false) {
  const now = context.currentTime + 0.05, end = points.at(-1).at + EACH, voices = [];
  points.forEach(({ at, hertz, gain, pan }, k) => {
    if (!glide || !k) voices.push(voice(context, pan));
    const { tone, loud } = voices.at(-1), time = now + at;
    if (!glide || !k) tone.frequency.setValueAtTime(hertz, time);
    else tone.frequency.linearRampToValueAtTime(hertz, time);
    if (!glide) loud.gain.setValueAtTime(0, time);
    loud.gain.linearRampToValueAtTime(gain, time + (glide ? 0 : 0.02)); // no click
    if (!glide) loud.gain.linearRampToValueAtTime(0, time + EACH - 0.02);
    if (!glide || !k) tone.start(time);
    if (!glide || k === points.length - 1) tone.stop(now + (glide ? end : at + EACH));
  });
  return () => voices.forEach(({ loud }) => loud.disconnect());
}

/** The switch of a figure whose declaration has a sound: { weights, scores, sweep } say where
 *  its numbers are. hear(scope) plays those of a state, while it is on. */
export function makeSound({ weights, scores, sweep }, open = () => new AudioContext()) {
  const node = htmlNode("button", { type: "button", className: "aw-read-button aw-sound", textContent: "Sound" });
  let context = null, scope = null, stop = () => {}, timer, on = false;
  const sound = () => {
    const row = scores && lookUp(scores, scope), stops = [play(context, tonesOf(lookUp(weights, scope), row))];
    const after = (one) => ({ ...one, at: one.at + (row.length + 1) * EACH });
    if (sweep) stops.push(play(context, sweepOf(row).map(after), true));
    stop();
    stop = () => stops.forEach((one) => one());
  };
  node.setAttribute("aria-pressed", on);
  node.addEventListener("click", () => {
    context ??= open();
    on = !on;
    node.setAttribute("aria-pressed", on);
    on ? sound() : stop();
  });
  const hear = (now) => {
    scope = now;
    clearTimeout(timer);
    if (on) timer = setTimeout(sound, AT_REST);
  };
  return { node, hear };
}
