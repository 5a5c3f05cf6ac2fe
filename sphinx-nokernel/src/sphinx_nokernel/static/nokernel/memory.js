// What this browser remembers of the site: one object, under one key of localStorage,
// with a version in its name. Nothing of it is sent anywhere.
//
//   { code: "shown", pages: { "lesson": { guesses: { id: 1 }, cells: { id: { text, ours } } } } }
//
// window.nokernelMemory = {
//   page            the name of this page
//   root            the address of the site
//   get(part, page) what is kept of a part of a page, {} if nothing or nonsense is
//   note(part, id, value, page)  keeps a value; undefined forgets it
//   forget(part)    of this page
//   all(), put(all) everything, to read, or to put in its place
//   erase()         everything
//   keeps()         whether this browser keeps anything
// }
//
// Where it keeps nothing, or no more, all of it lasts as long as the page. The document
// gets "nk:memory" after each change, also after one in another tab; its detail says
// whether all of it was erased.
(() => {
  "use strict";

  const { src, dataset: { page } } = document.currentScript;
  const root = new URL("../../", src);
  const KEY = `nokernel-1:${root.pathname}`;
  let unkept = null; // as text, while the browser does not keep it

  const isObject = (x) => typeof x === "object" && x !== null && !Array.isArray(x);
  const objectIn = (x, name) => (Object.hasOwn(x, name) && isObject(x[name]) ? x[name] : {});

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // a browser that keeps nothing
    }
  }

  function all() {
    let found;
    try {
      found = JSON.parse(unkept ?? stored());
    } catch { /* what is no JSON is as good as nothing */ }
    if (!isObject(found)) found = {};
    return { ...found, pages: objectIn(found, "pages") };
  }

  function put(everything) {
    const text = JSON.stringify(everything);
    try {
      localStorage.setItem(KEY, text);
      unkept = null;
    } catch {
      unkept = text;
    }
    tell();
  }

  // For files by their names, and cells by theirs: "__proto__" is a name like any other.
  const get = (part, name = page) => objectIn(objectIn(all().pages, name), part);

  function note(part, id, value, name = page) {
    if (value === undefined && !Object.hasOwn(get(part, name), id)) return;
    const everything = all();
    const kept = { ...objectIn(everything.pages, name) };
    const { [id]: _, ...others } = objectIn(kept, part);
    kept[part] = value === undefined ? others : { ...others, [id]: value };
    if (!Object.keys(kept[part]).length) delete kept[part];
    everything.pages = { ...everything.pages, [name]: kept };
    if (!Object.keys(kept).length) delete everything.pages[name];
    put(everything);
  }

  function forget(part) {
    for (const id of Object.keys(get(part))) note(part, id);
  }

  function erase() {
    unkept = null;
    try {
      localStorage.removeItem(KEY);
    } catch { /* there was nothing */ }
    tell(true);
  }

  function keeps() {
    try {
      localStorage.setItem(`${KEY}?`, "");
      localStorage.removeItem(`${KEY}?`);
      return unkept === null;
    } catch {
      return false;
    }
  }

  function tell(erased = false) {
    document.dispatchEvent(new CustomEvent("nk:memory", { detail: { erased } }));
  }

  addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY || key === null) tell(newValue === null);
  });

  window.nokernelMemory = { page, root, get, note, forget, all, put, erase, keeps };
})();
