// A new build: all of its files are kept, and then those of earlier builds dropped.

/** Keep every file of this build: from an earlier one if it is the same, else anew. */
async function keepAll() {
  const cache = await caches.open(NAME);
  const others = (await caches.keys()).filter((one) => one.startsWith(PREFIX) && one !== NAME);
  const before = await Promise.all(others.map((one) => caches.open(one)));
  const wanted = Object.entries(files), count = wanted.length;
  let kept = 0;
  const next = async () => {
    for (let pair = wanted.pop(); pair; pair = wanted.pop()) {
      await keepOne(cache, before, ...pair);
      await tell({ kept: (kept += 1), count });
    }
  };
  const stop = (error) => { wanted.length = 0; throw error; };
  await Promise.all(Array.from({ length: AT_ONCE }, () => next().catch(stop)));
  for (const [one, digest] of Object.entries(later)) {
    const same = await keptAs(before, addressOf(one), digest);
    if (same) await cache.put(addressOf(one), same);
  }
}

async function keepOne(cache, before, name, digest) {
  const address = addressOf(name);
  if (await keptAs([cache], address, digest)) return; // by an attempt that was broken off
  await cache.put(address, (await keptAs(before, address, digest)) ?? (await fetched(address, digest)));
}

async function keptAs(all, address, digest) {
  for (const cache of all) {
    const found = await cache.match(address);
    if (found?.headers.get(DIGEST) === digest) return found;
  }
  return undefined;
}

async function fetched(address, digest) {
  const response = await fetch(address, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const bytes = await response.arrayBuffer();
  if ((await digestOf(bytes)) !== digest) throw new Error(`${address} is not of this build`);
  return toKeep(bytes, response, digest);
}

async function tell(message) {
  const pages = await self.clients.matchAll({ includeUncontrolled: true });
  for (const page of pages) page.postMessage({ nokernelSite: message });
}

async function dropOthers() {
  const own = [NAME, PYTHONS];
  const ours = (name) => name.startsWith(PREFIX) || name.startsWith(`nokernel-python ${ROOT} `);
  const old = (await caches.keys()).filter((name) => ours(name) && !own.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("install", (event) => {
  const done = keepAll().catch(async (error) => {
    await tell({ failed: error.message });
    throw error;
  });
  event.waitUntil(done.then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
