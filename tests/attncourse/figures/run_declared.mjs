// Computes and describes states of declared figures: standard input holds
// [{ spec, data, script, states }, ...]; prints, for each, [{ numbers, said, traits, again }, ...].
import { fillIn } from "../../../course/attncourse/figures/kit/read.js";
import { stateOf, traitsOf } from "../../../course/attncourse/figures/kit/declared.js";

let input = "";
for await (const piece of process.stdin) input += piece;
const results = [];
for (const { spec, data, script, states } of JSON.parse(input)) {
  const { compute } = await import(script);
  results.push(states.map((state) => {
    const numbers = compute(state, data), said = fillIn(spec, { ...data, ...state, ...numbers });
    const traits = traitsOf(state, spec.controls), again = stateOf((trait) => traits[trait], spec.controls);
    return { numbers, said, traits, again };
  }));
}
process.stdout.write(JSON.stringify(results));
