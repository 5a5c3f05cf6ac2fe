// Writes scripts with fewer letters: standard input holds { name: script }, and so does
// standard output. The page that embeds a figure is one file, and a small one.
import { minify } from "terser";

let input = "";
for await (const piece of process.stdin) input += piece;
const written = {};
for (const [name, script] of Object.entries(JSON.parse(input))) {
  written[name] = (await minify(script, { module: true, format: { inline_script: true } })).code;
}
process.stdout.write(JSON.stringify(written));
