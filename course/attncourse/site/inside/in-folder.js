// Python in a page opened from a folder, where nothing can be fetched: starts the worker
// from text, and hands it files from the scripts that hold them, each when it is asked for.
(() => {
  "use strict";
  const root = new URL("../../", document.currentScript.src).href;
  const worker = self.nokernelWorkerText;
  const LACKING =
    "Python could not be read from this folder: unpack the zip again, all of it, or try " +
    "a newer browser.";

  /** The text that the script of a file holds: its bytes, packed. */
  function textOf(url) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.held = resolve;
      script.onload = script.onerror = () => { script.remove(); reject(); };
      if (!url.startsWith(root)) return reject();
      script.src = `${url}.js`;
      document.head.append(script);
    });
  }

  function start() {
    const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    const made = new Worker(address);
    made.addEventListener("message", (event) => {
      const { wanted, number } = event.data;
      if (wanted === undefined) return;
      event.stopImmediatePropagation(); // nobody else's
      const hand = (text) => made.postMessage({ held: number, text });
      textOf(wanted).then(hand, () => hand(null));
    });
    return made;
  }

  window.nokernelHeld = (text) => document.currentScript.held(text);
  window.nokernelFolder = { start, lacking: LACKING };
})();
