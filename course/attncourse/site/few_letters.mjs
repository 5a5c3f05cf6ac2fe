// Writes scripts with fewer letters: standard input holds { scripts: { name: text }, module },
// standard output { name: text }.
import { minify } from "terser";

let input = "";
for await (const piece of process.stdin) input += piece;
const written = {}, { scripts, module } = JSON.parse(input);
for (const [name, text] of Object.entries(scripts)) {
  written[name] = (await minify(text, { module, compress: { passes: 2 }, format: { inline_script: true } })).code;
}
process.stdout.write(JSON.stringify(written));
