// The landing page: guess what “it” looks at in a real model, then change one word.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { ghosts } from "../kit/drag.js";

const WIDTH = 340, HIGH = 116, IT = 6;

/** Where the words stand: [left, width] of each in percent. */
export function slots(words) {
  const widths = words.map((word) => Math.max(28, 6.6 * word.length + 11));
  const all = widths.reduce((a, b) => a + b);
  return widths.map((width, i) =>
    [widths.slice(0, i).reduce((a, b) => a + b, 0), width].map((x) => (100 * x) / all));
}

/** The place of the largest number. */
function favorite(row) {
  return row.indexOf(Math.max(...row));
}

/** Every number of the figure, from what the controls say, and which case it is. */
export function compute({ adjective, guess, second, asks }, { adjectives, places, tables, others: [showMe, all] }) {
  const again = adjective === adjectives[1], words = [...places.slice(0, -1), adjective];
  const table = tables[Number(again)], now = again ? second : guess, best = favorite(table[IT]);
  const rows = asks === all ? words.map((_, i) => i) : [places.indexOf(asks)], given = table.map((row) => row[best]);
  const guessed = now === null || now === showMe || asks !== "it" ? -1 : places.indexOf(now);
  const open = asks === all ? "all" : asks !== "it" ? "other"
    : `${again ? "again" : "first"}${guessed < 0 ? "" : guessed === best ? " right" : " wrong"}`;
  return { words, rows: rows.map((i) => words[i]), weights: rows.map((i) => (now === null ? words.map(() => null) : table[i])),
    best: words[best], who: words[rows[0]], most: Math.max(...table[rows[0]]), of_it: tables.map((one) => one[IT][best]),
    least: Math.min(...given), largest: Math.max(...given), yours: words[guessed] ?? "", gets: table[IT][guessed] ?? 0,
    case: now !== null ? open : again ? "ask again" : "ask" };
}

/** An arc from one place to another, in a drawing 340 wide; to itself, a loop. */
export function arc(from, to) {
  const bend = from === to ? 11 : 0;
  const high = 1.3 * HIGH * Math.min(Math.abs(from - to) / 300 + 0.18, 0.97);
  return `M${from - bend} ${HIGH}C${from - bend} ${HIGH - high} ${to + bend} ${HIGH - high} ${to + bend} ${HIGH}`;
}

function makeWord(onClick, i) {
  const name = htmlNode("span"), share = htmlNode("small", { textContent: " " });
  const button = htmlNode("button", { type: "button", onclick: () => onClick(i) }, name, share);
  const set = (word, weight, chosen) => {
    name.textContent = word;
    share.textContent = weight === null ? " " : fixed(weight);
    button.style.setProperty("--share", `${weight === null ? 6 : Math.round(6 + 34 * weight)}%`);
    button.setAttribute("aria-pressed", chosen);
  };
  return { button, set };
}

function draw({ el, data: { adjectives, places, tables, others: [showMe, every] }, state, put }) {
  const n = places.length, [first, last] = adjectives, all = slots([...places.slice(0, -1), last]); // the longer word
  const middle = (i) => ((all[i][0] + all[i][1] / 2) * WIDTH) / 100;
  const svg = surface(WIDTH, HIGH), group = svgNode("g", { class: "aw-arcs" });
  const question = svgNode("text", { x: middle(IT), y: HIGH - 62, "text-anchor": "middle", class: "aw-ask" }, "?");
  const hint = svgNode("path", { d: `M${middle(IT)} ${HIGH}V${HIGH - 52}`, class: "aw-right-angle" });
  const arcs = Array.from({ length: n * n }, () => svgNode("path", { class: "aw-arc" })), ghost = ghosts();
  group.append(...arcs);
  svg.append(group, hint, question);
  const of = (at) => (at.adjective === last ? "second" : "guess");
  const guessing = (at, name) => ({ [of(at)]: name });
  const choose = (i) => put(state()[of(state())] === null ? guessing(state(), places[i]) : { asks: places[i] });
  const words = places.map((_, i) => makeWord(choose, i));
  const row = htmlNode("div", { className: "aw-sentence" }, ...words.map(({ button }) => button));
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "The words of the sentence");
  row.style.gridTemplateColumns = all.map(([, width]) => `${width}fr`).join(" ");
  const says = htmlNode("p", { className: "aw-says" }), below = htmlNode("p", { className: "aw-below" });
  const next = htmlNode("button", { type: "button", className: "aw-next" });
  el.append(says, htmlNode("div", { className: "aw-stage" }, svg, row), below, next);
  const step = (at) => {
    if (at[of(at)] === null) return ["Show me", guessing(at, showMe)];
    if (at.adjective === first) return [`“${first}” becomes “${last}”`, { adjective: last }];
    if (at.asks !== every) return ["And the other words?", { asks: every }];
    return ["Start again", { adjective: first, guess: null, second: null, asks: "it" }];
  };
  next.onclick = () => put(step(state())[1]);
  return (now, at, { summary }) => {
    const table = tables[Number(at.adjective === last)], guess = at[of(at)], shown = guess !== null;
    const best = favorite(table[IT]), asks = at.asks === every ? n : places.indexOf(at.asks);
    ghost(group);
    arcs.forEach((path, k) => {
      const i = Math.floor(k / n), j = k % n;
      const on = shown && (asks === n ? j === favorite(table[i]) : i === asks);
      update(path, { d: arc(middle(i), middle(j)), "stroke-width": on ? (13 * table[i][j]).toFixed(2) : 0 });
    });
    for (const node of [question, hint]) node.style.display = shown ? "none" : "";
    words.forEach(({ button, set }, i) => {
      set(now.words[i], !shown ? null : asks === n ? table[i][best] : table[asks][i], guess === places[i]);
      button.classList.toggle("aw-right", shown && asks === IT && i === best);
      button.classList.toggle("aw-asking", (shown ? asks : IT) === i);
      button.classList.toggle("aw-new", at.adjective === last && i === n - 1);
    });
    says.textContent = summary;
    below.textContent = !shown ? " " : asks === n ? `Below each word: what it gives “${now.best}”.`
      : `Below each word: what “${now.who}” gives it.`;
    [next.textContent] = step(at);
    next.classList.toggle("aw-quiet", !shown);
  };
}

/** Another sentence is asked of “it” first. */
const follow = ({ adjective, asks }, was) => (adjective === was.adjective || asks !== was.asks ? {} : { asks: "it" });

export const goal = (now, at, _, { adjectives }) => now.case === "all" && at.adjective === adjectives[1];

export default live({ compute, draw, follow, task: challenge(goal, { isGuess: true }) });
