// The pages' Python in node: one Pyodide for all pages, the worker's own modules, and a
// new namespace for each page. Reads a line {pyodide, home, load, packages, code}; then, for
// each page, {cells, order}, and answers with [state, [[kind, text], ...]] for each run.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await lines.next()).value ?? "null");
const { pyodide, home, load, packages, code } = await read();
const bytes = (path) => new Uint8Array(readFileSync(path));
const quiet = { messageCallback() {} };

const { loadPyodide } = await import(`${home}pyodide.mjs`);
const py = await loadPyodide({ indexURL: pyodide, stdout() {}, stderr() {} });
await py.loadPackage(load, quiet);
const place = py.runPython("import site; site.getsitepackages()[0]");
for (const path of packages) py.unpackArchive(bytes(path), "wheel", { extractDir: place });
for (const path of code) py.FS.writeFile(`${place}/${path.split("/").pop()}`, bytes(path));
const { Driver } = py.pyimport("driver");

for (let page; (page = await read()); ) {
  let said, state;
  const post = (type, index, kind, text) => {
    if (type === "begin") said = [];
    if (type === "output") said.push([kind, text]);
    if (type === "end") state = kind;
  };
  const driver = Driver(post, (source) => py.loadPackagesFromImports(source, quiet), py.toPy(page.cells));
  const ran = [];
  for (const index of page.order) {
    await driver.run(py.toPy(page.cells), index);
    ran.push([state, said]);
  }
  driver.destroy();
  process.stdout.write(JSON.stringify(ran) + "\n");
}
process.exit(0);
