// Lets a browser install the site, and a reader keep it on the device, so that it opens
// without a network. Nothing is kept before the reader presses the button, or installs it.
// In a folder, in a frame (a notebook's output), on a Jupyter server, and where a browser
// lets pages keep nothing, there is no button and nothing is said.
(() => {
  "use strict";
  const root = new URL("../../", document.currentScript.src);
  const WORKER = new URL("service-worker.js", root).href;
  const PARTS = ["nokernel", "nokernel-python"].map((name) => `${name} ${root.href} `);

  function isPossible() {
    try {
      const isJupyter = /(?:^|; ?)_xsrf=/.test(document.cookie);
      return /^https?:$/.test(location.protocol) && top === self && !isJupyter && Boolean(navigator.serviceWorker && self.caches);
    } catch {
      return false; // a page in a sandbox may not even ask
    }
  }
  if (!isPossible()) return;

  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: new URL("site.webmanifest", root).href }));

  const register = () => navigator.serviceWorker.register(WORKER, { scope: root.href, updateViaCache: "none" });
  const kept = async () => {
    const found = await navigator.serviceWorker.getRegistration(root.href);
    return found?.active?.scriptURL === WORKER;
  };
  const isInstalled = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
  if (isInstalled) register().catch(() => {}); // the network goes on serving it
  addEventListener("appinstalled", () => keep());

  // ── The button, on the page that has it ──

  const box = document.getElementById("nk-keep");
  const button = box?.querySelector("button"), status = box?.querySelector("[role=status]");
  const say = (words) => { if (status) status.textContent = words; };
  const KEPT = "It is kept: all pages open without a network. Python for the cells is kept too, once a cell has run here.";

  async function show() {
    if (!box) return;
    const is = await kept();
    box.dataset.kept = is ? "yes" : "no";
    button.textContent = is ? "Remove it from this device" : "Keep this site on this device";
    if (is) say(KEPT);
    box.hidden = false;
  }

  /** Register the worker, and wait until it has kept everything, or could not. */
  async function keep() {
    if (button) button.disabled = true;
    isKeeping = true;
    say("Keeping it…");
    try {
      const found = await register(), worker = found.installing ?? found.waiting;
      await new Promise((done, fail) => {
        if (!worker || worker.state === "activated") return done();
        refused = (why) => fail(new Error(why));
        worker.addEventListener("statechange", () => {
          if (worker.state === "activated") done();
          if (worker.state === "redundant") setTimeout(refused, 2000, "the browser gave no reason");
        });
      });
    } catch (error) {
      isKeeping = false;
      say(`It could not be kept (${error.message}). The site goes on as before; try again later.`);
    }
    isKeeping = false;
    if (button) button.disabled = false;
    await show();
  }

  let isKeeping = false, refused = () => {}; // hears the worker's reason, or that there is none
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    const { kept: n, count, failed: why } = data?.nokernelSite ?? {};
    if (why) refused(why);
    else if (count && isKeeping) say(`Keeping it: ${n} of ${count} files.`);
  });

  async function remove() {
    const found = await navigator.serviceWorker.getRegistration(root.href);
    await found?.unregister();
    for (const name of await caches.keys()) {
      if (PARTS.some((part) => name.startsWith(part))) await caches.delete(name);
    }
    await show();
    say("Removed. Pages come from the network again.");
  }

  button?.addEventListener("click", () => (box.dataset.kept === "yes" ? remove() : keep()));
  show().catch(() => {});
})();
