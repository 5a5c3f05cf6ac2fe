// The landing page: guess what “it” looks at in a real model, then change one word.
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { ghosts, write } from "../kit/drag.js";

const WIDTH = 340, HIGH = 116, IT = 6;

/** Where the words stand: [left, width] of each in percent, the same in both sentences. */
export function slots(sentences) {
  const widths = sentences[0].map((_, i) =>
    Math.max(28, ...sentences.map((words) => 6.6 * words[i].length + 11)));
  const all = widths.reduce((a, b) => a + b);
  return widths.map((width, i) =>
    [widths.slice(0, i).reduce((a, b) => a + b, 0), width].map((x) => (100 * x) / all));
}

/** The place of the largest number. */
export function favorite(row) {
  return row.indexOf(Math.max(...row));
}

/** What the figure says: words, its rows of weights now and before, guess, who asks. */
export function told(words, table, before, guess, asks) {
  const second = Boolean(before), n = words.length, name = (i) => `“${words[i]}”`;
  if (guess === 0) {
    return second ? `Now it was ${words[n - 1]}. Which word does “it” look at now? Tap a word.`
      : "Which word do you think “it” looks at? Tap a word.";
  }
  if (asks === n) {
    const best = favorite(table[IT]), given = table.map((row) => row[best]);
    const range = `${fixed(Math.min(...given))} to ${fixed(Math.max(...given))}`;
    return `Every word looks most at ${name(best)}: ${range}.`;
  }
  const best = favorite(table[asks]), most = fixed(table[asks][best]);
  if (asks !== IT) return `${name(asks)} looks at ${name(best)} too: ${most}.`;
  const still = second && favorite(before[IT]) === best;
  const yours = guess > n ? "" : guess - 1 === best ? " You guessed it."
    : ` Your guess, ${name(guess - 1)}, gets ${fixed(table[IT][guess - 1])}.`;
  return still ? `Still ${name(best)}: ${most}, and it was ${fixed(before[IT][best])} before.${yours}`
    : `“it” looks at ${name(best)}, with ${most} of its attention.${yours}`;
}

/** What the numbers under the words are. */
export function under(words, best, asks) {
  return asks === words.length ? `Below each word: what it gives “${words[best]}”.`
    : `Below each word: what “${words[asks]}” gives it.`;
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
    button.style.setProperty("--share", `${weight === null ? 6 : Math.round(6 + 70 * weight)}%`);
    button.setAttribute("aria-pressed", chosen);
  };
  return { button, set };
}

function render({ model, el }) {
  const sentences = model.get("sentences"), n = sentences[0].length, all = slots(sentences);
  const middle = (i) => ((all[i][0] + all[i][1] / 2) * WIDTH) / 100;
  const svg = surface(WIDTH, HIGH), group = svgNode("g", { class: "aw-arcs" });
  const question = svgNode("text", { x: middle(IT), y: HIGH - 62, "text-anchor": "middle", class: "aw-ask" }, "?");
  const hint = svgNode("path", { d: `M${middle(IT)} ${HIGH}V${HIGH - 52}`, class: "aw-right-angle" });
  const arcs = Array.from({ length: n * n }, () => svgNode("path", { class: "aw-arc" }));
  group.append(...arcs);
  svg.append(group, hint, question);
  const guesses = [0, 0], ghost = ghosts();
  guesses[model.get("adjective")] = model.get("guess");

  const choose = (i) => write(model, model.get("guess") ? { asks: i } : { guess: i + 1 });
  const words = sentences[0].map((_, i) => makeWord(choose, i));
  const row = htmlNode("div", { className: "aw-sentence" },
    ...words.map(({ button }) => button));
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "The words of the sentence");
  row.style.gridTemplateColumns = all.map(([, width]) => `${width}fr`).join(" ");
  const says = htmlNode("p", { className: "aw-says" });
  says.setAttribute("role", "status");
  const next = htmlNode("button", { type: "button", className: "aw-next" });
  el.classList.add("aw-view", "aw-guess");
  const below = htmlNode("p", { className: "aw-below" });
  el.append(says, htmlNode("div", { className: "aw-stage" }, svg, row), below, next);

  const steps = () => {
    const [first, last] = sentences.map((one) => one[n - 1]);
    if (!model.get("guess")) return ["Show me", { guess: n + 1 }];
    if (!model.get("adjective")) return [`“${first}” becomes “${last}”`, { adjective: 1 }];
    if (model.get("asks") !== n) return ["And the other words?", { asks: n }];
    return ["Start again", null];
  };
  next.onclick = () => {
    const [, traits] = steps();
    if (!traits) guesses.fill(0);
    write(model, traits ?? { adjective: 0, guess: 0, asks: IT });
  };
  const turn = () => write(model, { guess: guesses[model.get("adjective")], asks: IT });
  const remember = () => { guesses[model.get("adjective")] = model.get("guess"); };
  model.on("change:adjective", turn);
  model.on("change:guess", remember);

  const draw = (table, asks, shown) => {
    ghost(group);
    arcs.forEach((path, k) => {
      const i = Math.floor(k / n), j = k % n;
      const on = shown && (asks === n ? j === favorite(table[i]) : i === asks);
      update(path, { d: arc(middle(i), middle(j)), "stroke-width": on ? (13 * table[i][j]).toFixed(2) : 0 });
    });
    for (const node of [question, hint]) node.style.display = shown ? "none" : "";
  };
  const meet = () => {
    const seen = model.get("guess") && model.get("adjective") && model.get("asks") === n;
    if (seen) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true }));
  };
  model.on("change:asks", meet);
  const stop = redrawOn(model, ["adjective", "guess", "asks"], () => {
    const [adjective, guess, asks] = ["adjective", "guess", "asks"].map((name) => model.get(name));
    const tables = model.get("weights"), table = tables[adjective], shown = guess > 0;
    const best = favorite(table[IT]);
    draw(table, asks, shown);
    words.forEach(({ button, set }, i) => {
      set(sentences[adjective][i], !shown ? null : asks === n ? table[i][best] : table[asks][i], shown && guess - 1 === i);
      button.classList.toggle("aw-right", shown && asks === IT && i === best);
      button.classList.toggle("aw-asking", (shown ? asks : IT) === i);
      button.classList.toggle("aw-new", adjective === 1 && i === n - 1);
    });
    says.textContent = told(sentences[adjective], table, adjective ? tables[0] : null, guess, asks);
    below.textContent = shown ? under(sentences[adjective], best, asks) : " ";
    [next.textContent] = steps();
    next.classList.toggle("aw-quiet", !shown);
    svg.speak(shown ? `Arcs. ${says.textContent}` : "The arcs are covered until you guess.");
  });
  return () => {
    model.off("change:adjective", turn);
    model.off("change:asks", meet);
    model.off("change:guess", remember);
    stop();
  };
}

export default { render };
