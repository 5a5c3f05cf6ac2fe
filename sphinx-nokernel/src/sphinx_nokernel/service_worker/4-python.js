// Python in the page: its files are kept as they are used, each compared with its digest.

/** Files of Python never change: what is kept is what its address gives. */
async function pythonFile(event) {
  const address = plain(event.request.url), cache = await caches.open(PYTHONS);
  const kept = await cache.match(address);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.ok) {
    const copy = response.clone();
    event.waitUntil(expected(cache, address).then((digest) => keep(PYTHONS, address, copy, digest)));
  }
  return response;
}

async function expected(cache, address) {
  const name = decodeURIComponent(address.slice(PYTHON.length));
  if (Object.hasOwn(digests, name)) return digests[name];
  const lock = await (await cache.match(PYTHON + LOCK))?.json();
  const found = Object.values(lock?.packages ?? {}).find((one) => one.file_name === name);
  const bytes = found?.sha256.match(/../g).map((pair) => Number.parseInt(pair, 16));
  return bytes && `sha256-${btoa(String.fromCharCode(...bytes))}`;
}

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET") return;
  if (PYTHON && url.startsWith(PYTHON)) event.respondWith(pythonFile(event));
  else if (url.startsWith(ROOT)) event.respondWith(answer(event));
});
