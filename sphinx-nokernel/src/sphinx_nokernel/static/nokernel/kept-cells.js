// Edited cells keep their text: live-code.js asks for it, and hands over what is typed.
// Beside the text stands a digest of the page's own code at the time, so that a reader
// hears of it when that has changed since.
(() => {
  "use strict";
  const memory = window.nokernelMemory;

  // FNV-1a, 32 bits: to tell two versions of one cell apart, no more.
  function digest(text) {
    let hash = 0x811c9dc5;
    for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
    return (hash >>> 0).toString(16);
  }

  function keep({ el, box, source }) {
    const text = box.value, before = memory.get("cells")[el.id];
    const edit = { text, ours: before?.ours ?? digest(source) };
    memory.note("cells", el.id, text === source ? undefined : edit);
  }

  /** The reader's text of a cell and what to say of it; nothing if it is the page's. */
  function before({ el, source }) {
    const { text, ours } = memory.get("cells")[el.id] ?? {};
    if (typeof text !== "string" || text === source) return null;
    const same = ours === digest(source);
    const since = "Your code from before. Ours has changed since: Reset shows it.";
    return { text, words: same ? "Your code from before." : since };
  }

  window.nokernelKeptCells = { keep, before };
})();
