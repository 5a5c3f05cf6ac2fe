// Lesson 2: drag where a word's query lands; its scores follow, and the mirror breaks.
import { dotProductScores } from "../kit/maths.js";
import { fixed, heatmap, htmlNode, redrawOn, svgNode, update } from "../kit/draw.js";
import { arrow, plane } from "../kit/plane.js";
import { draggable, ghosts, retell, snap, write } from "../kit/drag.js";

const EDGE = 2, SIZE = 260, PLACES = ["11", "12", "21", "22"], DOG = 0, HUNGRY = 2;

/** The two mirrored cells of a table that differ most, as { gap, i, j }. */
export function unlikeMirror(table) {
  let most = { gap: 0, i: 0, j: 0 };
  table.forEach((row, i) => row.forEach((score, j) => {
    const gap = Math.abs(score - table[j][i]);
    if (j > i && gap > most.gap + 1e-9) most = { gap, i, j };
  }));
  return most;
}

/** What the note says about the table's symmetry. */
export function symmetry(table, names) {
  const { gap, i, j } = unlikeMirror(table);
  if (gap === 0) return "Every score equals its mirror image across the diagonal.";
  const pair = (a, b) => `${names[a]} → ${names[b]} ${fixed(table[a][b])}`;
  return `The mirror is broken: ${pair(i, j)}, but ${pair(j, i)}.`;
}

/** What the note says while one arrow does both: the two scores of the goal, no more. */
export function bothWays(table, names) {
  const say = (i, j) => `${names[i]} → ${names[j]} ${fixed(table[i][j])}`;
  return `${say(HUNGRY, DOG)}; ${say(DOG, HUNGRY)}.`;
}

/** The two halves of the goal: does hungry look for the dog, and the dog not for hungry? */
export function goal(table) {
  return [table[HUNGRY][DOG] >= 1 - 1e-9, table[DOG][HUNGRY] <= 1e-9];
}

/** Which arrows share a tip: the first of them bears all names, the others none. */
export function together(tips, names) {
  const same = (a, b) => a.every((x, d) => Math.abs(x - b[d]) < 0.12);
  const first = tips.map((tip) => tips.findIndex((other) => same(other, tip)));
  return names.map((_, i) => names.filter((__, j) => first[i] === i && first[j] === i).join(" "));
}

/** Arrows for all keys and queries, with a place to take hold of each that moves: a dot
 *  for a query, and a ring around it for a key. */
function makeArrows(frame, names) {
  const made = (letter, className, look, reach) => {
    const asked = letter === "q" ? names.map((name) => `${name}?`) : names;
    const arrows = asked.map((name) => arrow(frame, name, className));
    const holds = [DOG, HUNGRY].map((i) => {
      const dot = svgNode("circle", look), hold = svgNode("circle", { r: reach });
      arrows[i].node.append(dot, hold);
      return { i, letter, dot, hold, node: arrows[i].node };
    });
    const move = (tips, taken) => {
      const texts = together(tips, asked);
      arrows.forEach(({ node, set }, i) => {
        set(tips[i], taken.some((tip) => tip.every((x, axis) => Math.abs(x - tips[i][axis]) < 0.12)) ? 1 : 0);
        node.querySelector("text").textContent = texts[i];
      });
      for (const { i, dot, hold } of holds) {
        const [cx, cy] = frame.at(tips[i]);
        update(dot, { cx, cy });
        update(hold, { cx, cy });
      }
    };
    return { holds, move };
  };
  const keys = made("k", "aw-key", { r: 10, class: "aw-ring" }, 22);
  const queries = made("q", "aw-query", { r: 6, class: "aw-grip" }, 14);
  const move = (query, key) => {
    queries.move(query, []);
    keys.move(key, query);
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

function render({ model, el }) {
  const names = model.get("names"), most = model.get("most"), frame = plane(EDGE, SIZE);
  const named = { y: SIZE / 2 - 6, x: SIZE - 2, "text-anchor": "end", class: "aw-tick" };
  frame.svg.append(svgNode("text", named, "alive →"),
    svgNode("text", { x: SIZE / 2 - 6, y: 11, "text-anchor": "end", class: "aw-tick" }, "edible ↑"));
  const { holds, move } = makeArrows(frame, names), target = makeGoal(), ghost = ghosts();
  const table = heatmap(names, names, { size: 260, left: 58 }), note = htmlNode("p", { className: "aw-note" });
  note.setAttribute("aria-live", "polite");
  const heading = htmlNode("div", { className: "aw-heading", textContent: "Scores: rows ask, columns answer" });
  el.classList.add("aw-view", "aw-scores", "aw-mirror");
  el.append(htmlNode("div", { className: "aw-columns" }, frame.svg,
    htmlNode("div", {}, target.node, heading, table.svg, note)));

  const read = (letter) => PLACES.map((place) => model.get(letter + place));
  const named4 = (letter, numbers) =>
    Object.fromEntries(PLACES.map((place, i) => [letter + place, numbers[i]]));
  const home = read("k");
  for (const { i, letter, hold, node } of holds) {
    const one = `${letter}${i === DOG ? 1 : 2}`;
    draggable(frame.svg, hold, () => {
      ghost(node);
      return frame.at([model.get(`${one}1`), model.get(`${one}2`)]);
    }, ([left, top]) => write(model, {
      [`${one}1`]: snap((left - SIZE / 2) / frame.unit, -most, most, 0.1),
      [`${one}2`]: snap((SIZE / 2 - top) / frame.unit, -most, most, 0.1),
    }));
  }

  // One matrix for both: whichever moves, the other follows. Apart again: keys go home.
  const copy = (from, to) => () => model.get("shared") && write(model, named4(to, read(from)));
  const links = { q: copy("q", "k"), k: copy("k", "q") };
  const part = () => write(model, named4("k", model.get("shared") ? read("q") : home));
  const events = (letter) => PLACES.map((place) => `change:${letter}${place}`);
  for (const letter of "qk") for (const event of events(letter)) model.on(event, links[letter]);
  model.on("change:shared", part);

  const rows = (letter) => {
    const [a, b, c, d] = read(letter);
    return [[a, b], model.get("food"), [c, d]];
  };
  const redraw = () => {
    const query = rows("q"), key = model.get("shared") ? query : rows("k");
    const scores = dotProductScores(query, key), { gap, i, j } = unlikeMirror(scores);
    move(query, key);
    table.set(scores, Math.max(1, ...scores.flat()));
    table.cells.forEach((line, a) => line.forEach(({ fill, text }, b) => {
      const lit = gap > 0 && ((a === i && b === j) || (a === j && b === i));
      for (const one of [fill, text]) one.classList.toggle("aw-lit", lit);
    }));
    const reached = goal(scores), won = reached.every(Boolean);
    target.set(reached);
    if (won && !el.classList.contains("aw-won")) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true }));
    el.classList.toggle("aw-won", won);
    const says = model.get("shared") ? bothWays(scores, names) : symmetry(scores, names);
    retell(note, won ? `${says} Goal reached.` : says);
    const place = (v) => `(${fixed(v[0], 1)}, ${fixed(v[1], 1)})`;
    frame.svg.speak(names.map((name, k) => `${name}: query ${place(query[k])}, key ${place(key[k])}`).join(". "));
    table.svg.speak(scores.map((line, a) => `${names[a]} asks: ${line.map((s, b) =>
      `${names[b]} ${fixed(s)}`).join(", ")}`).join(". "));
  };
  const stop = redrawOn(model, ["shared", ...PLACES.flatMap((p) => [`q${p}`, `k${p}`])], redraw);
  return () => {
    for (const letter of "qk") for (const event of events(letter)) model.off(event, links[letter]);
    model.off("change:shared", part);
    stop();
  };
}

export default { render };
