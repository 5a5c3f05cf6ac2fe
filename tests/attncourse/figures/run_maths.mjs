// Calls functions of maths.js with arguments from standard input; prints the results.
import * as maths from "../../../course/attncourse/figures/kit/maths.js";

let input = "";
for await (const piece of process.stdin) input += piece;
const results = JSON.parse(input).map(([name, ...args]) => maths[name](...args));
process.stdout.write(JSON.stringify(results));
