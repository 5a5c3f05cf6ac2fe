// Lesson 2: drag where a word's query lands; its scores follow, and the mirror breaks.
import { dotProductScores } from "../kit/maths.js";
import { challenge } from "../kit/challenge.js";
import { has, live } from "../kit/declared.js";
import { heatmap, htmlNode, svgNode, update } from "../kit/draw.js";
import { arrow, plane } from "../kit/plane.js";
import { draggable, ghosts, retell } from "../kit/drag.js";

const EDGE = 2, SIZE = 260, DOG = 0, HUNGRY = 2;
const BELOW = 30; // a tip on the axis: the name of a key stands below its ticks, that of a query above

/** Every number of the figure, from what the controls say; of two mirrored cells, which
 *  differ most. */
export function compute({ shared, dog_query, hungry_query, dog_key, hungry_key }, { names, food }) {
  const query = [dog_query, food, hungry_query], key = shared ? query : [dog_key, food, hungry_key];
  const scores = dotProductScores(query, key), lies = [query, key].flatMap((rows) => [0, 1].map((c) => rows.map((row) => row[c])));
  let most = 1e-9, pair = [0, 0];
  scores.forEach((row, i) => row.forEach((score, j) => {
    const gap = Math.abs(score - scores[j][i]);
    if (j > i && gap > most + 1e-9) [most, pair] = [gap, [i, j]];
  }));
  return { query, key, scores, lies, pair, between: pair.map((i) => names[i]),
    case: shared ? "shared" : pair[1] ? "broken" : "even" };
}

/** One arrow for both: whichever moves, the other follows. Apart again: keys go home. */
export function follow(at, was, start) {
  const keys = { dog_key: at.dog_key, hungry_key: at.hungry_key };
  const queries = { dog_query: at.dog_key, hungry_query: at.hungry_key };
  if (at.shared && was.shared && !has(was, keys)) return queries;
  if (at.shared) return { dog_key: at.dog_query, hungry_key: at.hungry_query };
  return was.shared ? { dog_key: start.dog_key, hungry_key: start.hungry_key } : {};
}

/** The two halves of the goal: does hungry look for the dog, and the dog not for hungry? */
export function goal({ scores }) {
  return [scores[HUNGRY][DOG] >= 1 - 1e-9, scores[DOG][HUNGRY] <= 1e-9];
}

/** Arrows for all keys and queries, with a place to take hold of each that moves: a dot
 *  for a query, and a ring around it for a key. One arrow for both bears one name. */
function makeArrows(frame, names) {
  const made = (letter, className, look, reach, flat) => {
    const arrows = names.map((name) => arrow(frame, name, className, flat));
    const holds = [DOG, HUNGRY].map((i) => {
      const dot = svgNode("circle", look), hold = svgNode("circle", { r: reach });
      arrows[i].node.append(dot, hold);
      return { i, letter, dot, hold, node: arrows[i].node };
    });
    const move = (tips, lines, called) => {
      arrows.forEach(({ node, set }, i) => {
        const own = flat && tips[i][0] && !tips[i][1]; // no query's name is there
        const taken = (n) => !own && lines[n]?.some(([x, y]) => Math.abs(x - tips[i][0]) < 0.8 && Math.abs(y - tips[i][1]) < 0.2);
        let line = 0;
        while (taken(line)) line += 1; // no name lies on another
        const text = called(names[i]);
        if (text && !own) (lines[line] ??= []).push(tips[i]);
        set(tips[i], line);
        node.querySelector("text").textContent = text;
      });
      for (const { i, dot, hold } of holds) {
        const [cx, cy] = frame.at(tips[i]);
        update(dot, { cx, cy });
        update(hold, { cx, cy });
      }
    };
    return { holds, move };
  };
  const keys = made("k", "aw-key", { r: 10, class: "aw-ring" }, 22, BELOW);
  const queries = made("q", "aw-query", { r: 6, class: "aw-grip" }, 14);
  const move = (query, key, shared) => {
    const lines = []; // of names, each with the tips that have one there
    queries.move(query, lines, (name) => (shared ? name : `${name}?`));
    keys.move(key, lines, (name) => (shared ? "" : name));
  };
  return { holds: [...keys.holds, ...queries.holds], move };
}

/** The goal in words, with a mark for each half that is reached. */
function makeGoal() {
  const parts = ["hungry → dog at least 1", "dog → hungry 0 or less"].map((text) =>
    htmlNode("li", { textContent: text }));
  const node = htmlNode("div", { className: "aw-goal" }, "Goal: ", htmlNode("ul", {}, ...parts));
  const set = (reached) => parts.forEach((part, i) => part.classList.toggle("aw-reached", reached[i]));
  return { node, set };
}

function draw({ el, data: { names, bounds: [most, step] }, state, put }) {
  const frame = plane(EDGE, SIZE);
  const named = { y: SIZE / 2 + 14, x: SIZE - 2, "text-anchor": "end", class: "aw-tick" };
  frame.svg.append(svgNode("text", named, "alive →"),
    svgNode("text", { x: SIZE / 2 - 6, y: 11, "text-anchor": "end", class: "aw-tick" }, "edible ↑"));
  const { holds, move } = makeArrows(frame, names), target = makeGoal(), ghost = ghosts();
  const table = heatmap(names, names, { size: 260, left: 58 }), note = htmlNode("p", { className: "aw-note" });
  const heading = htmlNode("div", { className: "aw-heading", textContent: "Scores: rows ask, columns answer" });
  el.classList.add("aw-scores", "aw-mirror");
  el.append(htmlNode("div", { className: "aw-columns" }, frame.svg,
    htmlNode("div", {}, target.node, heading, table.svg, note)));
  for (const { i, letter, hold, node } of holds) {
    const does = letter === "q" ? "query" : "key", name = `${names[i]}_${does}`;
    draggable(frame.svg, hold, () => {
      ghost(node);
      return frame.at(state()[name]);
    }, ([left, top]) => put({ [name]: [(left - SIZE / 2) / frame.unit, (SIZE / 2 - top) / frame.unit] }),
    { name: `${does} of ${names[i]}`, low: -most, high: most, step: step * frame.unit, value: () => state()[name] });
  }
  return ({ query, key, scores, pair: [i, j] }, { shared }, { summary }, reached) => {
    move(query, key, shared);
    table.set(scores, Math.max(1, ...scores.flat()));
    table.cells.forEach((line, a) => line.forEach(({ fill, text }, b) => {
      const lit = i !== j && ((a === i && b === j) || (a === j && b === i));
      for (const one of [fill, text]) one.classList.toggle("aw-lit", lit);
    }));
    const won = reached.every(Boolean);
    target.set(reached);
    el.classList.toggle("aw-won", won);
    retell(note, won ? `${summary} Goal reached.` : summary);
  };
}

export default live({ compute, draw, follow, task: challenge(goal) });
