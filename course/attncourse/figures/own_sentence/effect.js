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
