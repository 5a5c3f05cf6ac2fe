// A reader's own experiment: search in some pairs, fix a hypothesis, open fresh ones.
import { fixed, htmlNode } from "../kit/draw.js";
import { N_HEADS } from "./weights.js";

// The effect of a head in minimal pairs, as lesson 12 defines it.

const T_975 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
  2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042];

/** Student's t below which 97.5 % lie. */
export function studentT(degrees) {
  return T_975[degrees - 1] ?? 1.96 + 2.4 / degrees;
}

/** Pairs from text: a line for each, “sentence with {}; noun a; noun b; word that fits a;
 *  word that fits b”. Throws an Error that names the line. */
export function parsePairs(text) {
  return text.split("\n").map((line) => line.trim()).flatMap((line, i) => {
    if (!line) return [];
    const parts = line.split(";").map((part) => part.trim()), [template, a, b, ...fits] = parts;
    const fail = (rule) => { throw new Error(`Line ${i + 1}: ${rule}`); };
    if (parts.length !== 5 || parts.includes("")) fail(`five parts are needed, with semicolons between them, and ${parts.filter(Boolean).length} are there.`);
    if (template.split("{}").length !== 2) fail("the sentence needs one {}, where the last word goes.");
    if (!/\bit\b.*\{\}/i.test(template)) fail("the sentence needs the word “it” before the {}.");
    return [{ texts: fits.map((word) => template.replace("{}", word)), nouns: [a, b].map((noun) => noun.toLowerCase()) }];
  });
}

/** The places of “it”, of both nouns, and of the first token that differs. */
export function places([tokens, others], nouns) {
  const found = nouns.map((noun) => tokens.indexOf(noun)), it = tokens.indexOf("it");
  const lost = nouns.find((_, i) => found[i] < 0);
  if (lost) throw new Error(`The model has no single token “${lost}” in “${tokens.slice(1, -1).join(" ")}”. Take another noun.`);
  return { it, nouns: found, last: tokens.findIndex((token, i) => token !== others[i]) };
}

/** In every head, how much more “it” gives to noun a than to noun b. */
export function preferences({ tokens, weights }, { it, nouns: [a, b] }, nHeads = 72) {
  const n = tokens.length;
  return Array.from({ length: nHeads }, (_, head) => {
    const row = (head * n + it) * n;
    return weights[row + a] - weights[row + b];
  });
}

/** Mean effect of a head over pairs, [pair][head], its 95 % interval, how many are positive,
 *  and how many other heads have a mean effect as large. */
export function summary(effects, head) {
  const n = effects.length, mean = (k) => effects.reduce((sum, one) => sum + one[k], 0) / n;
  const ours = mean(head), variance = effects.reduce((sum, one) => sum + (one[head] - ours) ** 2, 0) / (n - 1);
  const wide = n > 1 ? studentT(n - 1) * Math.sqrt(variance / n) : Infinity;
  const means = effects[0].map((_, k) => mean(k));
  return { n, mean: ours, low: ours - wide, high: ours + wide, means,
    positive: effects.filter((one) => one[head] > 0).length,
    asLarge: means.filter((other, k) => k !== head && other >= ours).length };
}

const MOST_TURNS = 4096;

/** How many of all heads would have a mean effect as large as this one's by chance: the
 *  mean over every way of swapping the last words of some pairs, which turns the sign of
 *  their effects; over as many random ways, always the same, where there are more. */
export function byChance(effects, head) {
  const n = effects.length, all = 2 ** n <= MOST_TURNS, turns = all ? 2 ** n : MOST_TURNS;
  const heads = effects[0].map((_, k) => effects.map((one) => one[k]));
  const least = heads[head].reduce((a, b) => a + b) - 1e-9;
  let state = 1, count = 0;
  const coin = () => { // Park and Miller (1988)
    state = (state * 48271) % 2147483647;
    return state > 1073741823;
  };
  for (let turn = 0; turn < turns; turn += 1) {
    const swapped = effects.map((_, i) => (all ? Math.floor(turn / 2 ** i) % 2 === 1 : coin()));
    for (const own of heads) count += own.reduce((sum, e, i) => sum + (swapped[i] ? -e : e), 0) >= least;
  }
  return count / turns;
}

const CARRIERS = [1, 3, 8]; // heads of layer 2 that look from “it” to the last word
const WAYS = {
  "as it is": () => ({}),
  "with “it” → last word cut in 2.1, 2.3 and 2.8": ({ it, last }) =>
    ({ cut: CARRIERS.map((head) => ({ layer: 2, head, query: it, key: last })) }),
  "with “it” from the other sentence before layer 3": ({ it }, text) =>
    ({ patch: { text, from: it, to: it, layer: 3 } }),
};
const HELP = "A line for each pair: sentence with {}; noun a; noun b; word that fits a; word that fits b. “it” asks. "
  + "The effect of a head is what it gives noun a more than noun b, less the same with the other last word.";
const signed = (x) => (x < 0 ? "" : "+") + fixed(x);
const headName = (k) => `${Math.floor(k / N_HEADS)}.${k % N_HEADS}`;

function area(label, id, value) {
  const input = htmlNode("textarea", { id, value, rows: 5, spellcheck: false });
  return { input, node: htmlNode("div", {}, htmlNode("label", { htmlFor: id, textContent: label }), input) };
}

/** `run(text, options)` is the model's; `chosen()` the head as a number from 0 to 71;
 *  `choose(k)` shows one; `ready()` says whether the model is there. */
export function makeExperiment(pairs, { run, chosen, choose, ready }) {
  const search = area("Pairs to search in", "aw-pairs-search", pairs[0].join("\n"));
  const fresh = area("Fresh pairs", "aw-pairs-fresh", pairs[1].join("\n"));
  const says = htmlNode("p", { className: "aw-says" });
  says.setAttribute("role", "status");
  const button = (textContent, onclick) => htmlNode("button", { type: "button", textContent, onclick });
  const look = button("1. Search", searchPairs), fix = button("2. Fix the hypothesis", fixHead), open = button("3. Open the fresh pairs", openPairs), over = button("Start over", startOver);
  const label = htmlNode("label", { htmlFor: "aw-way", textContent: "Read the pairs" });
  const way = htmlNode("select", { id: "aw-way" }, ...Object.keys(WAYS).map((name) => new Option(name)));
  const buttons = htmlNode("div", { className: "aw-actions" }, look, fix, open, over), again = htmlNode("div", { className: "aw-actions" }, label, way);
  let fixedHead = null, opened = "";
  const kept = new Map(); // readings as they are: the cuts need them again

  async function plainly(text) {
    if (!kept.has(text)) kept.set(text, await run(text, {}));
    return kept.get(text);
  }
  async function readPair({ texts, nouns }) {
    const plain = [await plainly(texts[0]), await plainly(texts[1])], found = [];
    for (const [i, one] of plain.entries()) {
      const here = places([one.tokens, plain[1 - i].tokens], nouns), options = WAYS[way.value](here, texts[1 - i]);
      found.push(preferences(Object.keys(options).length ? await run(texts[i], options) : one, here));
    }
    return found[0].map((preference, k) => preference - found[1][k]);
  }
  async function readAll(text) {
    if (!ready()) throw new Error("Load the model first, under “Try your own sentence”.");
    const all = parsePairs(text), effects = [];
    if (!all.length) throw new Error("There is no pair yet. Write one in a line.");
    for (const pair of all) {
      says.textContent = `Reading pair ${effects.length + 1} of ${all.length} …`;
      effects.push(await readPair(pair));
    }
    return effects;
  }
  async function act(work) {
    for (const one of [look, fix, open, over, way]) one.disabled = true;
    try {
      says.textContent = await work();
    } catch (error) {
      says.textContent = error.message;
    }
    allow();
  }
  function allow() {
    [look.disabled, fix.disabled, open.disabled, over.disabled] = [fixedHead !== null, fixedHead !== null, fixedHead === null, false];
    search.input.readOnly = fixedHead !== null;
    way.disabled = false;
  }
  function tell(name, effects, head) {
    const { n, mean, low, high, positive, asLarge } = summary(effects, head), chance = byChance(effects, head);
    return `${name}, ${way.value}: mean effect ${signed(mean)}` + (n > 1 ? `, 95 % interval ${signed(low)} to ${signed(high)}` : "")
      + `; ${positive} of ${n} ${n > 1 ? "effects are" : "is"} positive; `
      + `${asLarge || "none"} of the other 71 heads ${asLarge === 1 ? "has" : "have"} a mean effect as large. `
      + `If a coin swapped each pair's last words, ${chance < 0.005 ? "fewer than 0.01" : fixed(chance)} of the 72 heads would do as well on average.`;
  }

  function searchPairs() {
    act(async () => {
      const effects = await readAll(search.input.value), { means } = summary(effects, 0), best = means.indexOf(Math.max(...means));
      choose(best);
      return `${tell(`Head ${headName(best)} leads`, effects, best)} It was chosen for that, so this proves `
        + "nothing yet. Keep it or choose another head, then fix the hypothesis.";
    });
  }
  function fixHead() {
    fixedHead = chosen();
    says.textContent = `Fixed: in fresh pairs, head ${headName(fixedHead)} has a mean effect above 0. One head, one number, one direction.`;
    allow();
    open.focus();
  }
  function openPairs() {
    act(async () => {
      const text = fresh.input.value, effects = await readAll(text), found = summary(effects, fixedHead);
      const same = opened === "" || opened === text, parts = [tell(`Head ${headName(fixedHead)}`, effects, fixedHead)];
      opened ||= text;
      if (found.n < 2) parts.push("One pair has no interval, so it decides nothing: write more.");
      else if (!way.selectedIndex) parts.push(found.low > 0 ? "The hypothesis held in these pairs." : "The hypothesis did not hold: the interval is not above 0.");
      if (!same) parts.push("These are not the pairs that you opened first: say so when you report it.");
      return parts.join(" ");
    });
  }
  function startOver() {
    if (opened) fresh.input.value = "";
    says.textContent = opened ? "The pairs that you opened are no longer fresh. Write others for the next hypothesis." : "";
    [fixedHead, opened] = [null, ""];
    allow();
  }
  const form = htmlNode("form", { onsubmit: (event) => event.preventDefault() }, htmlNode("p", { className: "aw-hint", textContent: HELP }),
    htmlNode("div", { className: "aw-columns" }, search.node, fresh.node), again, buttons, says);
  allow();
  return htmlNode("details", { className: "aw-own" }, htmlNode("summary", { textContent: "Your own experiment" }), form);
}
