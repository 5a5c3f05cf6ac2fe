// Unpacks the writer's weights once and calls the page's functions with them: reads
// {packed, parts, calls: [[function, ...arguments], ...]} and prints what they return.
import * as costs from "../../../course/attncourse/figures/writer/costs.js";
import * as page from "../../../course/attncourse/figures/writer/decoder.js";
import * as live from "../../../course/attncourse/figures/writer/live.js";

// Texts one after the other: what the figure remembers of one serves the next.
function oneAfterTheOther(w, texts, choice, sizes) {
  const memory = page.emptyMemory(sizes.nLayers);
  return texts.map(([ids, numbers]) => page.continueText(w, ids, numbers, choice, sizes, memory));
}

const WITH_WEIGHTS = ["continueText", "multiplications", "oneAfterTheOther"];
let input = "";
for await (const piece of process.stdin) input += piece;
const { packed, parts, calls } = JSON.parse(input);
const weights = page.unpack(packed, parts);
const results = calls.map(([name, ...rest]) => {
  const call = { ...costs, ...live, ...page, oneAfterTheOther }[name];
  return WITH_WEIGHTS.includes(name) ? call(weights, ...rest) : call(...rest);
});
process.stdout.write(JSON.stringify(results));
