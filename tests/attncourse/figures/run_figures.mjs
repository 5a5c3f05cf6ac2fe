// Calls exported functions of the figures' own scripts with arguments from standard
// input, [[script, function, ...arguments], ...], and prints what they return.
let input = "";
for await (const piece of process.stdin) input += piece;
const results = [];
for (const [script, name, ...args] of JSON.parse(input)) {
  const module = await import(`../../../course/attncourse/figures/${script}.js`);
  results.push(module[name](...args));
}
process.stdout.write(JSON.stringify(results));
