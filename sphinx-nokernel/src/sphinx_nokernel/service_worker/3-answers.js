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
