// Writes states into addresses and reads them: standard input holds
// { name: { controls, begun, states, queries } }, the last as Python writes the states;
// prints { name: [{ query, state, refused, same, nonsense }] }.
import { asked, queryOf } from "../../../course/attncourse/figures/kit/declared.js";

let input = "";
for await (const piece of process.stdin) input += piece;
const results = {};
for (const [name, { controls, begun, states, queries }] of Object.entries(JSON.parse(input))) {
  const read = (query) => asked(new URLSearchParams(query), controls, begun);
  const nonsense = read(controls.map((one) => `${one.name}=1,x`).join("&"));
  results[name] = states.map((state, i) => {
    const query = queryOf(state), { state: part, refused } = read(query);
    const same = { ...begun, ...read(queries[i]).state };
    return { query, state: { ...begun, ...part }, refused, same, nonsense };
  });
}
process.stdout.write(JSON.stringify(results));
