// Lesson 7: drag the words into another order, and see whether an output notices.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { draggable, ghosts, retell } from "../kit/drag.js";
import { makeSound } from "../kit/sound.js";

const WIDTH = 340, SLOT = 114, TOP = 62, HIGH = 34, BARS = 132, REACH = 58;
const NAMES = ["alive", "edible"], FILLS = ["aw-alive", "aw-edible"];

/** The order that comes of dragging one word to a slot: it trades places with the one there. */
export function moved(order, word, slot) {
  const other = order[slot], from = order.indexOf(word);
  return order.map((w, i) => (i === slot ? word : i === from ? other : w));
}

/** How far two vectors are apart. */
export function apart(a, b) {
  return Math.hypot(...a.map((x, i) => x - b[i]));
}

const middle = (slot) => WIDTH / 2 + (slot - 1) * SLOT;

/** A word on its card; below that of the word that asks its output, two bars and their numbers. */
function makeWord(svg, word, asks) {
  const node = svgNode("g", { class: "aw-card" });
  const card = { x: -42, y: TOP, width: 84, height: HIGH, rx: 6 };
  const output = svgNode("g", { class: "aw-output-of" });
  const bars = NAMES.map((name, i) => {
    const y = BARS + 20 * i, bar = svgNode("rect", { x: -REACH / 2 + 16, y, height: 12, class: FILLS[i] });
    const number = svgNode("text", { x: REACH / 2 + 23, y: y + 10, "text-anchor": "end", class: "aw-small" });
    output.append(svgNode("text", { x: -REACH / 2 + 12, y: y + 10, "text-anchor": "end", class: "aw-tick" }, name),
      bar, number);
    return { bar, number };
  });
  const hold = svgNode("rect", { ...card, class: "aw-hold" });
  node.append(svgNode("rect", { ...card, class: "aw-face" }),
    svgNode("text", { y: TOP + 22, "text-anchor": "middle", class: "aw-strong" }, word), ...(asks ? [output] : []), hold);
  svg.append(node);
  const set = (numbers) => numbers.forEach((x, i) => {
    update(bars[i].bar, { width: Math.max(0.5, x * REACH * 0.4) });
    retell(bars[i].number, fixed(x));
  });
  const go = (x) => { node.style.transform = `translate(${x}px, 0px)`; };
  return { node, output, hold, set, go };
}

/** The place of each slot: its number, and the first hand of its clock. Dashed, in the slot
 *  of the word that asks, is the hand that it asks for: its own, one step back. */
function makeSlots(svg, hands) {
  const node = svgNode("g", { class: "aw-slots" });
  const cy = TOP + HIGH + 17, hand = (slot, [sine, cosine]) => `M${middle(slot) - 24} ${cy}l${10 * sine} ${-10 * cosine}`;
  hands.forEach((one, slot) => {
    const cx = middle(slot) - 24;
    node.append(svgNode("circle", { cx, cy, r: 11, class: "aw-axis" }),
      svgNode("path", { class: "aw-hand", d: hand(slot, one) }),
      svgNode("text", { x: cx + 15, y: cy + 4, class: "aw-tick" }, `position ${slot}`));
  });
  const asked = svgNode("path", { class: "aw-hand aw-asked" }), [, [sine, cosine]] = hands;
  node.append(asked);
  svg.append(node);
  return (shown, slot) => {
    node.style.visibility = shown ? "visible" : "hidden";
    update(asked, { d: hand(slot, slot ? hands[slot - 1] : [-sine, cosine]) });
  };
}

/** Arcs from the word that asks to the words it looks at, as wide as their weights. */
function makeArcs(svg, words) {
  const arcs = words.map(() => {
    const path = svgNode("path", { class: "aw-look" });
    const text = svgNode("text", { "text-anchor": "middle", class: "aw-small aw-of-weights" });
    svg.append(path, text);
    return { path, text };
  });
  return (order, asks, weights) => arcs.forEach(({ path, text }, word) => {
    const from = middle(order.indexOf(asks)), to = middle(order.indexOf(word));
    const self = word === asks, peak = Math.abs(to - from) > SLOT ? 8 : 22;
    const side = Math.sign(to - from), start = from + 21 * side, end = to - 6 * side;
    const d = self ? "" : `M${start} ${TOP}C${start} ${peak - 6} ${end} ${peak - 6} ${end} ${TOP}`;
    update(path, { d, "stroke-width": (1 + 9 * weights[word]).toFixed(2) });
    update(text, { x: self ? from : to + 14 * side, y: self ? TOP - 6 : TOP - 8, "text-anchor": self ? "middle" : side < 0 ? "end" : "start" });
    retell(text, fixed(weights[word]));
  });
}

/** Every number of the figure, from what the controls say. */
export function compute({ order, add }, { words, sentences, weights, outputs }) {
  const now = sentences.indexOf(order), tokens = order.split(" ");
  const standing = (all) => tokens.map((word) => all[Number(add)][now][words.indexOf(word)]);
  const output = standing(outputs), got = output[tokens.indexOf("ate")], first = outputs[Number(add)][0][words.indexOf("ate")], by = apart(got, first);
  return { tokens, asked: standing(weights), output, got, at_first: first, by, how: add ? "added" : "left out", case: now ? (by < 0.005 ? "same" : "other") : "first" };
}

function draw({ el, data: { words, orders, sentences, hands, weights, outputs }, state, put }) {
  const asks = words.indexOf("ate"), svg = surface(WIDTH, BARS + 40, "aw-order"), keep = ghosts();
  const showSlots = makeSlots(svg, hands), setArcs = makeArcs(svg, words);
  const cards = words.map((word, i) => makeWord(svg, word, i === asks));
  const got = htmlNode("span"), asking = htmlNode("span"), change = htmlNode("b"), note = htmlNode("p", { className: "aw-hint" });
  note.append(asking, "It gets ", got, ".", change);
  el.append(svg, note);
  let held = null, start = null, before = null;

  const order = () => orders[sentences.indexOf(state().order)];
  cards.forEach(({ node, hold, go }, word) => {
    draggable(svg, hold, () => [middle(order().indexOf(word)), 0], ([x]) => {
      const slot = Math.min(Math.max(Math.round((x - middle(0)) / SLOT), 0), words.length - 1);
      if (held !== word) start = order();
      const next = moved(start, word, slot).map((w) => words[w]).join(" ");
      held = word;
      node.classList.add("aw-held");
      go(Math.min(Math.max(x, middle(0) - 20), middle(words.length - 1) + 20));
      if (next !== state().order) put({ order: next });
    });
    for (const end of ["pointerup", "pointercancel"]) hold.addEventListener(end, () => {
      held = null;
      node.classList.remove("aw-held");
      go(middle(order().indexOf(word)));
    });
  });
  return (now, { order: sentence, add }) => {
    const place = sentences.indexOf(sentence), each = outputs[Number(add)][place];
    cards.forEach(({ node, set, output, go }, word) => {
      if (word === asks && before && apart(each[word], before[word]) > 0.005) keep(output);
      set(each[word]);
      if (word !== held) go(middle(order().indexOf(word)));
    });
    before = each;
    showSlots(add, order().indexOf(asks));
    asking.textContent = `“Ate” asks for nouns${add ? ", and for the clock one step back (dashed)" : ""}. `;
    setArcs(order(), asks, weights[Number(add)][place]);
    const told = (output) => output.map((x, i) => `${fixed(x)} ${NAMES[i]}`).join(" and ");
    retell(got, told(now.got));
    change.textContent = { first: "", same: " In “dog ate food”, it gets the same.", other: ` In “dog ate food”, it gets ${told(now.at_first)}.` }[now.case];
  };
}

export const goal = (_, { order, add }, __, { sentences }) => order === sentences[1] && !add;

export default live({ compute, draw, sound: makeSound, task: challenge(goal) });
