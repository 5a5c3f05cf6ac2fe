// Python for one page: Pyodide in a worker, started by the first Run. The page sends
// {type: "start", pyodide, digests, wheels, code, built, names, imports, files, folder} once and {type: "run", sources, index} for each
// Run; it gets back progress, what each cell puts out, and "ready", "ran" or "failed".
// A figure's {type: "ask", ask, code, values} is answered with { ask, text, failed }.

// What a first visit fetches, in megabytes: over the line, and once unpacked (for
// Pyodide 0.27.7). The unpacked bytes are what can be counted while they arrive.
const PYTHON = { name: "Python", line: 5.8, unpacked: 13.8 };
const LARGE = {
  numpy: { name: "NumPy", line: 3.1, unpacked: 3.1, with: "matplotlib" },
  matplotlib: { name: "matplotlib", line: 9.9, unpacked: 9.9 },
};

const send = (type, more) => self.postMessage({ type, ...more });
const HOME = "/home/pyodide"; // the folder of the book's sources, as Python sees it
let py, driver, missing, host = "", beside = [], fetching = true, stage = null, received = 0, told = 0;

function count(bytes) {
  received += bytes / 1e6;
  if (!stage || performance.now() - told < 100) return;
  told = performance.now();
  const share = Math.min(1, received / stage.unpacked);
  const sizes = `${(share * stage.line).toFixed(1)} of ${stage.line} MB`;
  send("progress", { text: `Getting ${stage.name}, once: ${sizes}` });
}

function enter(next) {
  [stage, received, told] = [next, 0, 0];
  if (next) count(0);
}

// Everything that Pyodide fetches is counted as it arrives. Its own files are compared
// with the digests that the page names before any of them runs; packages, Pyodide compares
// with those in its lock file, which is one of its own. Pyodide would wait for ever for a
// file of its own that does not come: the page is told which one, and ends this worker.
const expected = {};
const fetchPlain = self.fetch.bind(self);
self.fetch = async (resource, options) => {
  const url = String(resource.url ?? resource);
  if (driver) return counted(await fetchPlain(resource, options));
  try {
    return await whole(url, options);
  } catch (error) {
    const lost = { fetching: true, lacking: url.split("/").pop() };
    send("failed", { text: error.message, ...(error.refused ? { fetching: false } : lost) });
    throw error;
  }
};

/** A response whose bytes are counted as they are read. */
function counted(response) {
  if (!response.body) return response;
  const counter = new TransformStream({
    transform(chunk, out) {
      count(chunk.byteLength);
      out.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}

/** One of Pyodide's own files, all of it, if it is the one that the page expects. */
async function whole(url, options) {
  const digest = expected[url];
  const blind = digest && !self.crypto.subtle; // on a plain http address: then fetch compares
  const response = await fetchPlain(url, blind ? { ...options, integrity: digest } : options);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const bytes = await counted(response).arrayBuffer();
  if (digest && !blind && (await digestOf(bytes)) !== digest) refuse(url);
  return new Response(bytes, { headers: response.headers });
}

async function digestOf(bytes) {
  const digest = new Uint8Array(await self.crypto.subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}

function refuse(url) {
  const text = `${url} is not the file that this page expects, and was not run.`;
  throw Object.assign(new Error(text), { refused: true });
}

// Import a module from what was fetched and compared, not from what comes a second time.
async function moduleAt(url) {
  const response = await self.fetch(url);
  const blob = new Blob([await response.arrayBuffer()], { type: "text/javascript" });
  const address = URL.createObjectURL(blob);
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function own(url) {
  const response = await fetchPlain(url, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

async function start({ pyodide, wheels, code, built, names, imports, digests, files, folder }) {
  host = new URL(pyodide).host;
  for (const [name, digest] of digests) expected[pyodide + name] = digest;
  enter(PYTHON);
  // Pyodide would import the second of these itself, if it were not there.
  const modules = ["pyodide.mjs", "pyodide.asm.js"].map((name) => moduleAt(pyodide + name));
  const [{ loadPyodide }] = await Promise.all(modules);
  const fetched = Promise.all([...wheels, ...code].map(own));
  fetched.catch(() => {});
  py = await loadPyodide({ indexURL: pyodide });
  missing = py.runPython(MISSING, { globals: py.toPy({}) });
  const place = py.runPython("import site; site.getsitepackages()[0]");
  (await fetched).forEach((bytes, i) => {
    if (i < wheels.length) py.unpackArchive(bytes, "wheel", { extractDir: place });
    else py.FS.writeFile(`${place}/${code[i - wheels.length].split("/").pop()}`, new Uint8Array(bytes));
  });
  enter(null);
  fetching = false;
  beside = files;
  py.FS.mkdirTree(`${HOME}/${folder}`);
  py.FS.chdir(`${HOME}/${folder}`);
  if (files.length) py.runPython(`import sys; "" in sys.path or sys.path.insert(0, "")`);
  const post = (type, index, kind, text) => send(type, { index, kind, text });
  driver = py.pyimport("driver").Driver(post, loadFor, py.toPy(built), py.toPy(imports), py.toPy(names));
  send("ready");
}

// What code imports and is not here yet. IPython is, as far as a page needs it
// (notebook.py): Pyodide would fetch all of it, and what that needs in turn.
const MISSING = `
import sys
from pyodide.code import find_imports
lambda source: "\\n".join(f"import {one}" for one in find_imports(source) if one not in sys.modules)
`;

// Pyodide reports a package that it could not fetch, and goes on: so do the cells, which
// may not need it. Returns the names.
async function load(source) {
  const said = [];
  const errorCallback = (text) => said.push(text);
  await py.loadPackagesFromImports(missing(source), { messageCallback() {}, errorCallback });
  const failed = said.map((text) => /while loading ([\w.-]+)/.exec(text)?.[1]).filter(Boolean);
  return failed.length ? failed : said;
}

let untold = new Set(); // what could not be fetched, for the next cell to say
const lacking = (names) => names.forEach((name) => untold.add(name));

// Files beside the page, each fetched when a cell first names it.
async function bring(source) {
  for (const file of beside.filter(([path]) => source.includes(nameOf(path)))) {
    const [path, url] = file, at = `${HOME}/${path}`;
    py.FS.mkdirTree(at.slice(0, at.lastIndexOf("/")));
    py.FS.writeFile(at, new Uint8Array(await own(url)));
    beside = beside.filter((one) => one !== file);
    py.runPython("import importlib; importlib.invalidate_caches()");
  }
}

const nameOf = (path) => path.split("/").pop().replace(/\.py$/, "");

/** The large packages that code imports and that are not here yet, as one to wait for. */
function largeIn(source) {
  const names = (name) => new RegExp(`\\bimport ${name}|\\bfrom ${name}\\b`).test(source);
  const wanted = Object.entries(LARGE)
    .filter(([name, each]) => (names(name) || (each.with && names(each.with))) && !py.loadedPackages[name])
    .map(([, each]) => each);
  if (!wanted.length) return null;
  const sum = (key) => wanted.reduce((total, each) => total + each[key], 0);
  return { name: wanted.map((each) => each.name).join(" and "), line: sum("line"), unpacked: sum("unpacked") };
}

async function loadFor(source) {
  enter(largeIn(source));
  fetching = true;
  lacking(await load(source));
  await bring(source);
  fetching = false;
  enter(null);
  if (!untold.size) return "";
  const advice = host ? `Check the connection, or whether ${host} has it.` : "This folder does not have it.";
  const text = `Not fetched: ${[...untold].join(", ")}. ${advice}\n`;
  untold = new Set();
  return text;
}

// Names of its own for each question: cells and questions leave each other alone.
async function answer({ ask, code, values }) {
  const names = py.toPy(values);
  try {
    await driver.fetch(code);
    send("answer", { ask, text: String(py.runPython(code, { globals: names })) });
  } catch (error) {
    send("answer", { ask, failed: true, text: String(error.message ?? error).trim().split("\n").pop() });
  } finally {
    names.destroy();
  }
}

self.onmessage = async ({ data }) => {
  if (data.type === "ask") return answer(data);
  try {
    if (data.type === "start") await start(data);
    else {
      const sources = py.toPy(data.sources);
      await driver.run(sources, data.index);
      sources.destroy();
      send("ran");
    }
  } catch (error) {
    send("failed", { text: String(error), fetching });
  }
};
