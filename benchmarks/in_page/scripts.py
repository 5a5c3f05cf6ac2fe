"""JavaScript that the benchmark runs in a page and in node."""

FIRST = """(text) => {
  const start = performance.now(), said = openModel({ base: "minilm/" });
  globalThis.first = said.then(async (model) => {
    globalThis.model = model;
    await model.run(text);
    return performance.now() - start;
  });
}"""
NEXT = """async (text) => {
  const start = performance.now();
  await model.run(text);
  return performance.now() - start;
}"""
HERE = """async (text) => {
  const own = (globalThis.own ??= await loadHere());
  const { ids } = own.read(text);
  const start = performance.now();
  for (const weights of own.weights(ids)) weights;
  return performance.now() - start;
}"""
LOAD_HERE = """async function loadHere() {
  const text = (name) => loadScript(`minilm/${name}.js`, "lost", "changed");
  const manifest = await text("manifest");
  const found = new PageModel(manifest);
  for (const name of Object.keys(manifest.pieces)) {
    if (name === "worker") continue;
    const characters = atob(await text(name));
    found.add(name, Uint8Array.from(characters, (one) => one.charCodeAt(0)));
  }
  return found;
}"""
IN_NODE = """
const { PageModel } = await import(process.argv[1]);
const { readFileSync } = await import("node:fs");
globalThis.receivePiece = (name, content) => { globalThis.received = content; };
const read = (name) => {
  (0, eval)(readFileSync(`${process.argv[2]}/${name}.js`, "utf8"));
  return received;
};
const manifest = read("manifest");
const own = new PageModel(manifest);
for (const name of Object.keys(manifest.pieces)) {
  if (name === "worker") continue;
  own.add(name, new Uint8Array(Buffer.from(read(name), "base64")));
}
for (const texts of JSON.parse(process.argv[3])) {
  const times = texts.map((text) => {
    const { ids } = own.read(text);
    const start = performance.now();
    for (const weights of own.weights(ids)) weights;
    return performance.now() - start;
  });
  console.log(times.slice(1).sort((a, b) => a - b)[2]);
}
"""
