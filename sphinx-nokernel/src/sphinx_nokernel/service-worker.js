// The site on a reader's device: keeps its files, and answers from them where the network
// does not. installable.py writes what this build consists of in front of it.
//
//   self.nokernelSite = {
//     version what this build is called
//     files   { name: digest } of what is kept at once
//     later   { name: digest } of what is kept once it was used
//     start   the page that the site begins with
//     python  the address that Python in the page comes from, or ""
//     digests { name: digest } of Python's own files; those of packages are in its lock
//   }
//
// The network is asked first, always: whoever has one sees the newest build. This worker
// is another file with every build, and its new one keeps all files of that build, or none.
"use strict";
const { version, files, later, start, python, digests } = self.nokernelSite;
const ROOT = new URL("./", location.href).href;
const PREFIX = `nokernel ${ROOT} `; // on a host with several sites, each has its own
const NAME = `${PREFIX}${version}`;
const PYTHON = python && new URL(python, ROOT).href;
const PYTHONS = `nokernel-python ${ROOT} ${PYTHON}`;
const LOCK = "pyodide-lock.json";
const DIGEST = "x-nokernel-digest"; // beside each file that is kept
const PATIENCE = 4000; // milliseconds for a network that is slow to answer
const AT_ONCE = 6;

const addressOf = (name) => ROOT + name.split("/").map(encodeURIComponent).join("/");
const plain = (address) => address.split(/[?#]/)[0];

async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}

/** What is kept of a file: its bytes, with their kind and their digest. */
function toKeep(bytes, response, digest) {
  const kind = response.headers.get("content-type") ?? "application/octet-stream";
  return new Response(bytes, { headers: { "content-type": kind, [DIGEST]: digest } });
}

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

// What is answered: the network's file, else the one that is kept.

/** The kept file for an address; a folder stands for the page in it. */
async function find(address) {
  const cache = await caches.open(NAME);
  const names = address.endsWith("/") ? [`${address}index.html`] : [address, `${address}.html`];
  for (const one of names) {
    const found = await cache.match(one);
    if (found) return found;
  }
  return address === ROOT ? Response.redirect(addressOf(start)) : undefined;
}

async function answer(event) {
  const { request } = event, address = plain(request.url);
  const network = fetch(request);
  network.catch(() => {});
  const slow = new Promise((done) => { setTimeout(done, PATIENCE); });
  const first = await Promise.race([network, slow]).catch(() => undefined);
  if (first && first.status < 500) return noted(event, address, first);
  const kept = await find(address);
  if (kept) return kept;
  return network.catch((error) => missing(request, error));
}

async function missing(request, error) {
  const page = request.mode === "navigate" && (await find(addressOf("404.html")));
  if (!page) throw error;
  return new Response(await page.arrayBuffer(), { status: 404, headers: page.headers });
}

/** A file that is kept once it was used is kept now. */
function noted(event, address, response) {
  const name = decodeURIComponent(address.slice(ROOT.length));
  if (Object.hasOwn(later, name) && response.ok) {
    const copy = response.clone();
    event.waitUntil(keep(NAME, address, copy, later[name]));
  }
  return response;
}

async function keep(name, address, response, digest) {
  const bytes = await response.arrayBuffer();
  if (!digest || (await digestOf(bytes)) !== digest) return; // another file: not ours to keep
  const cache = await caches.open(name);
  await cache.put(address, toKeep(bytes, response, digest));
}

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
