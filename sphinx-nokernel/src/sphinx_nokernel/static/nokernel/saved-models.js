// The widgets that a page has saved: models with their values, the links between them, and
// what has to be undone when they go. mount-widgets.js builds its figures from them.
(() => {
  "use strict";

  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const AGAIN = "run the notebook again and build the page from it";

  const warn = (text, ...cause) => console.warn(`mount-widgets: ${text}`, ...cause);
  const idOf = (reference) => String(reference).replace(/^IPY_MODEL_/, "");
  const nameOf = (model) => model.get("_anywidget_id") ?? String(model.name).replace(/Model$/, "");

  /** A widget's state and listeners, with the methods that anywidget promises. */
  class Model {
    constructor(name, state, manager) {
      Object.assign(this, { name, state, widget_manager: manager, listeners: [] });
    }
    get(key) {
      return this.state[key];
    }
    /** set(key, value) or set({ key: value, ... }); an object counts as changed by identity. */
    set(key, value) {
      const next = typeof key === "object" ? key : { [key]: value };
      const changed = Object.keys(next).filter((k) => !Object.is(this.state[k], next[k]));
      Object.assign(this.state, next);
      for (const k of changed) this.emit(`change:${k}`, this.state[k]);
      if (changed.length) this.emit("change");
    }
    on(events, callback, owner) {
      for (const event of events.split(" ")) this.listeners.push({ event, callback, owner });
    }
    /** Drops the listeners that match every argument given. */
    off(events, callback, owner) {
      this.listeners = this.listeners.filter((l) => (events && !events.split(" ").includes(l.event))
        || (callback && callback !== l.callback) || (owner && owner !== l.owner));
    }
    emit(event, ...args) {
      for (const { callback, owner } of this.listeners.filter((l) => l.event === event)) {
        try {
          callback(this, ...args);
        } catch (error) {
          // Later, on a fresh stack: handlers that set each other off overflow this one.
          queueMicrotask(() => (owner?.fail ?? warn)(`${nameOf(this)}: ${error?.message}`, error));
        }
      }
    }
    save_changes() {}
    send() {}
  }

  /** What a figure (or the page) has to undo when it goes, and whom to tell when it fails. */
  class Scope {
    constructor(fail) {
      Object.assign(this, { fail, undo: [], gone: new AbortController() });
    }
    own(fn) {
      if (typeof fn === "function") this.undo.push(fn);
      if (this.gone.signal.aborted) this.close();
    }
    close() {
      this.gone.abort();
      for (const fn of this.undo.splice(0).reverse()) {
        new Promise((done) => done(fn())).catch((error) => warn("a clean-up threw", error));
      }
    }
    /** The same model, except that its listeners go when the scope goes. */
    lend(model) {
      this.own(() => model.off(null, null, this));
      const on = (events, callback) => model.on(events, callback, this);
      const off = (events, callback) => model.off(events, callback, this);
      return { __proto__: model, on, off };
    }
  }

  function link(page, model, both) {
    const ends = [model.get("source") ?? [], model.get("target") ?? []];
    const [a, b] = ends.map(([of, key]) => ({ model: page.models.get(idOf(of)), key }));
    if (!a.model || !b.model) {
      const end = a.model ?? b.model ?? {};
      end.broken = `it is linked to a widget that is not in the saved state; ${AGAIN}`;
      return;
    }
    // A circle of links rests when a value comes round: set() takes what it has as no change.
    const pass = (from, to) => () => to.model.set(to.key, from.model.get(from.key));
    a.model.on(`change:${a.key}`, pass(a, b));
    if (both) b.model.on(`change:${b.key}`, pass(b, a));
    pass(a, b)();
  }

  /** JSON as Python writes it: NaN and Infinity may stand bare, which JSON.parse refuses. */
  function parse(text) {
    try {
      return JSON.parse(text);
    } catch {
      const legal = { NaN: '"nan"', Infinity: "1e999" };
      const tokens = /"(?:[^"\\]+|\\.)*"|NaN|Infinity/g;
      return JSON.parse(text.replace(tokens, (token) => legal[token] ?? token));
    }
  }

  /** A model from its saved state, with the binary traits, saved apart, back in their places. */
  function restore({ model_name: name, state = {}, buffers = [] }, manager) {
    const model = new Model(name, state, manager);
    try {
      for (const { path, data } of buffers) {
        const parent = path.slice(0, -1).reduce((node, key) => node[key], state);
        const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
        parent[path.at(-1)] = new DataView(bytes.buffer);
      }
    } catch (error) {
      model.broken = `its binary traits cannot be read (${error.message}); ${AGAIN}`;
    }
    return model;
  }

  function readPage(root) {
    const page = { models: new Map(), scope: new Scope(warn) };
    const manager = { get_model: async (reference) => page.models.get(idOf(reference)) };
    const tags = root.querySelectorAll(STATE);
    if (!tags.length) page.error = `the page has no saved widget state; ${AGAIN}`;
    for (const tag of tags) {
      try {
        for (const [id, saved] of Object.entries(parse(tag.textContent).state)) {
          page.models.set(id, restore(saved, manager));
        }
      } catch (error) {
        page.error = `the saved widget state cannot be read (${error.message}); ${AGAIN}`;
      }
    }
    for (const model of page.models.values()) {
      if (model.name === "LinkModel") link(page, model, true);
      if (model.name === "DirectionalLinkModel") link(page, model, false);
    }
    return page;
  }

  window.nokernelModels = { AGAIN, Model, Scope, idOf, nameOf, parse, readPage, warn };
})();
