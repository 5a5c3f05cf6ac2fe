// Goes before worker.mjs in a page opened from a folder: what the worker fetches, the page
// hands over as text, from the script that holds it.
{
  const waiting = new Map();
  let count = 0;

  self.fetch = async (resource) => {
    const [wanted] = String(resource.url ?? resource).split(/[?#]/);
    const number = count++;
    const text = await new Promise((resolve) => {
      waiting.set(number, resolve);
      self.postMessage({ wanted, number });
    });
    if (text === null) throw new TypeError(`${wanted} is not in this folder`);
    const kind = wanted.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(unpacked(text), { headers: { "content-type": kind } });
  };

  function unpacked(text) {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
    return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  }

  self.addEventListener("message", (event) => {
    const { held, text } = event.data;
    if (held === undefined) return;
    event.stopImmediatePropagation(); // worker.mjs has no use for it
    waiting.get(held)(text);
    waiting.delete(held);
  });
}
