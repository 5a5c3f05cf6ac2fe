// Computes and describes states of declared figures: standard input holds
// [{ spec, data, states }, ...]; prints, for each, [{ numbers, said, heard, traits, again },
// ...], where heard is what the page says when the state before becomes this one.
import { fillIn } from "../../../course/attncourse/figures/kit/read.js";
import { newClauses, shortened } from "../../../course/attncourse/figures/kit/voice.js";
import { stateOf, traitsOf } from "../../../course/attncourse/figures/kit/declared.js";

let input = "";
for await (const piece of process.stdin) input += piece;
const results = [];
for (const { spec, data, states } of JSON.parse(input)) {
  const { compute } = await import(`../../../course/attncourse/figures/${spec.name}/live.js`);
  let before = [];
  results.push(states.map((state) => {
    const numbers = compute(state, data), said = fillIn(spec, { ...data, ...state, ...numbers });
    const heard = shortened(newClauses(before, said.said)) ?? "";
    before = said.said;
    const traits = traitsOf(state, spec.controls), again = stateOf((trait) => traits[trait], spec.controls);
    return { numbers, said, heard, traits, again };
  }));
}
process.stdout.write(JSON.stringify(results));
