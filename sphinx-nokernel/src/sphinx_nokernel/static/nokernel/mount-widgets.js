// Mounts the ipywidgets state saved in a page, with native inputs: no kernel, no request, no
// other library. A classic script, so that it runs from file:// too.
//
//   Model                       What the reader gets
//   VBox, HBox, Box             a column; a row that wraps (HBox and Box)
//   Accordion                   a part that unfolds for each child, under its title
//   IntSlider, FloatSlider,     a range input, its label, its value. Kept: min, max, step,
//   FloatLogSlider              disabled, readout, continuous_update, readout_format (d f e g %,
//                               with digits, "+", ","). A label ending in "[unit]" speaks the unit
//   SelectionSlider             a range input that shows and speaks the option's label
//   Checkbox, Dropdown          a checkbox, a select
//   ToggleButtons, RadioButtons a group of radio buttons; the first look like chips
//   Label                       plain text
//   Link, DirectionalLink       jslink, jsdlink; a circle of links comes to rest
//   AnyModel (anywidget)        inline _esm and _css; initialize and render get { model, signal }
//                               (render: el too); the clean-ups they return run on unmount
//
// input-widgets.js and display-widgets.js know more, and widget-looks.js their layouts.
//
// Anything else (a NaN trait; a module that throws, now or
// later; no saved state) keeps the still picture, adds one line beside it that names the
// widget, and warns once in the console. The page's other figures go on.
//
// A figure in a part that a prediction covers is mounted when that part is shown.
//
// window.mountWidgets = { mount(root) → { live, still, unmount }, ready (the promise of the
// page's last mount), Model }. The document gets "nk:mounted" with detail { live, still }.
(() => {
  "use strict";

  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
  const AGAIN = "run the notebook again and build the page from it";
  const KERNEL = "needs a kernel";
  let count = 0; // for element ids

  const el = (tag, props, ...children) => {
    const node = Object.assign(document.createElement(tag), props);
    node.append(...children);
    return node;
  };
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

  /** A number in d3's format, for the kinds in the table above; others come out plain. */
  function format(value, spec) {
    const [, plus, comma, digits = 6, kind] = /^(\+?)(,?)(?:\.(\d+))?([defg%])$/.exec(spec) ?? [];
    const size = Math.abs(value);
    const text = {
      d: () => size.toFixed(0),
      e: () => size.toExponential(digits),
      f: () => size.toFixed(digits),
      g: () => size.toPrecision(digits),
      "%": () => `${(size * 100).toFixed(digits)}%`,
    }[kind]?.() ?? String(Number(size.toPrecision(12)));
    const sign = value < 0 && /[1-9]/.test(text) ? "−" : plus ?? ""; // never "−0.00"
    return sign + (comma ? text.replace(/\d(?=(\d{3})+(?!\d))(?<!\..*)/g, "$&,") : text);
  }

  /** Runs update now and after every change, in the same task as the change. */
  const follow = (model, update) => {
    model.on("change", update);
    update();
  };
  const describe = (model, node) => {
    node.textContent = model.get("description") || model.get("tooltip") || nameOf(model);
    node.classList.toggle("nk-spoken", !model.get("description"));
  };

  function row(model, input, update, ...rest) {
    input.id = `nk-${++count}`;
    const label = el("label", { htmlFor: input.id });
    follow(model, () => {
      describe(model, label);
      input.disabled = Boolean(model.get("disabled"));
      update();
    });
    const pair = input.type === "checkbox" ? [input, label] : [label, input];
    return el("div", { className: "nk-control" }, ...pair, ...rest);
  }

  /** A range input; read turns its position into the trait key, write turns it back. */
  function slider(model, { key, limits, text, texts, read = (x) => x, write = (x) => x }) {
    const input = el("input", { type: "range" });
    // The input speaks its value, so the output stays silent: otherwise it would be said twice.
    const output = el("output", { ariaLive: "off" });
    const show = (value) => {
      const unit = /\[([^\]]+)\]\s*$/.exec(model.get("description"))?.[1];
      output.textContent = text(value);
      input.setAttribute("aria-valuetext", text(value) + (unit ? ` ${unit}` : ""));
    };
    const send = () => model.set(key, read(input.valueAsNumber));
    input.addEventListener("change", send);
    input.addEventListener("input", () =>
      model.get("continuous_update") === false ? show(read(input.valueAsNumber)) : send());
    const control = row(model, input, () => {
      const [min, max, step] = limits(), value = model.get(key), at = write(value);
      if (![min, max, at].every(Number.isFinite) || min > max) {
        throw new Error(`it cannot show ${value} between ${min} and ${max}`);
      }
      Object.assign(input, { min, max, step: step > 0 ? step : "any", value: at });
      Object.assign(output, { htmlFor: input.id, hidden: model.get("readout") === false });
      output.style.minWidth = `min(${Math.max(...texts().map((t) => t.length))}ch, 100%)`; // a steady track
      show(value);
    }, output);
    control.classList.toggle("nk-vertical", model.get("orientation") === "vertical");
    return control;
  }

  function number(model, read, write) {
    const limits = () => ["min", "max", "step"].map((key) => model.get(key));
    const text = (value) => format(value, model.get("readout_format"));
    const texts = () => limits().slice(0, 2).map((x) => text(read ? read(x) : x));
    return slider(model, { key: "value", limits, text, texts, read, write });
  }

  function labels(model) {
    const list = model.get("_options_labels"), index = model.get("index") ?? null;
    if (!list?.length) throw new Error("it has no options");
    if (index !== null && !(index in list)) throw new Error(`it has no option ${index}`);
    return list;
  }

  function selection(model) {
    const list = labels(model), text = (i) => list[i] ?? "";
    const limits = () => [0, list.length - 1, 1];
    return slider(model, { key: "index", limits, text, texts: () => list });
  }

  function dropdown(model) {
    const input = el("select", {}, ...labels(model).map((text) => new Option(text)));
    input.addEventListener("input", () => model.set("index", input.selectedIndex));
    return row(model, input, () => { input.selectedIndex = model.get("index") ?? -1; });
  }

  function radios(model) {
    const name = `nk-${++count}`, title = el("span", { id: name, className: "nk-control-title" });
    const options = labels(model).map((text, i) => {
      const input = el("input", { type: "radio", name, id: `${name}-${i}` });
      input.addEventListener("input", () => model.set("index", i));
      return el("span", {}, input, el("label", { htmlFor: input.id, textContent: text }));
    });
    follow(model, () => {
      describe(model, title);
      options.forEach(({ firstChild: input }, i) => {
        input.checked = i === model.get("index");
        input.disabled = Boolean(model.get("disabled"));
      });
    });
    const group = el("div", { className: "nk-control", role: "radiogroup" }, title,
      el("span", { className: "nk-control-options" }, ...options));
    group.setAttribute("aria-labelledby", name);
    return group;
  }

  const chips = (model) => {
    const group = radios(model);
    group.classList.add("nk-chips");
    return group;
  };

  function checkbox(model) {
    const input = el("input", { type: "checkbox" });
    input.addEventListener("input", () => model.set("value", input.checked));
    return row(model, input, () => { input.checked = Boolean(model.get("value")); });
  }

  function label(model) {
    const node = el("span", { className: "nk-text" });
    follow(model, () => { node.textContent = model.get("value") ?? ""; });
    return node;
  }

  const box = (className) => async (model, scope, page) => {
    const children = (model.get("children") ?? []).map((child) => build(child, scope, page));
    return el("div", { className }, ...await Promise.all(children));
  };

  async function accordion(model, scope, page) {
    const parts = (model.get("children") ?? []).map(async (child, i) => el("details",
      { className: "nk-fold", open: model.get("selected_index") === i },
      el("summary", { textContent: model.get("titles")?.[i] ?? "" }),
      await build(child, scope, page)));
    return el("div", { className: "nk-vbox" }, ...await Promise.all(parts));
  }

  const modules = new Map(), styles = new Set();
  /** Imports a module from its source, once for all the figures that share it. */
  function load(source) {
    if (!modules.has(source)) {
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      modules.set(source, import(url).finally(() => URL.revokeObjectURL(url)));
    }
    return modules.get(source);
  }

  async function initialize(model, scope) {
    const exported = (await load(model.get("_esm"))).default;
    const widget = typeof exported === "function" ? await exported() : exported;
    if (!widget?.render && !widget?.initialize) throw new Error("its _esm has no default export");
    scope.own(await widget.initialize?.({ model: scope.lend(model), signal: scope.gone.signal }));
    return widget;
  }

  async function anywidget(model, scope, page, shared) {
    const css = model.get("_css") || "";
    if (!model.get("_esm")) throw new Error(`its _esm is not in the saved state; ${AGAIN}`);
    if ([model.get("_esm"), css].some((text) => /^https?:/.test(text))) {
      throw new Error("its _esm or _css is an address; give the text itself");
    }
    const widget = await (shared.started ??= initialize(shared, page.scope));
    if (css && !styles.has(css)) document.head.append(el("style", { textContent: css }));
    styles.add(css);
    const node = el("div", { className: "nk-any" });
    scope.own(await widget.render?.({ model, el: node, signal: scope.gone.signal }));
    return node;
  }

  const VIEWS = {
    VBoxModel: box("nk-vbox"),
    HBoxModel: box("nk-hbox"),
    BoxModel: box("nk-hbox"),
    AccordionModel: accordion,
    IntSliderModel: (model) => number(model),
    FloatSliderModel: (model) => number(model),
    FloatLogSliderModel: (model) => number(model, (x) => model.get("base") ** x,
      (value) => Math.log(value) / Math.log(model.get("base"))),
    SelectionSliderModel: selection,
    CheckboxModel: checkbox,
    DropdownModel: dropdown,
    ToggleButtonsModel: chips,
    RadioButtonsModel: radios,
    LabelModel: label,
    AnyModel: anywidget,
  };

  // Other widgets are in scripts of their own, loaded before this one where a page has some.
  const kit = { el, follow, describe, row, format, build };
  for (const more of window.nokernelViews ?? []) Object.assign(VIEWS, more(kit));

  // A kernel sends NaN as the string "nan", and so does parse().
  const hasNaN = (value) => value === "nan" || (value !== null && typeof value === "object"
    && Object.values(value).some(hasNaN));

  /** The element of one widget; what goes wrong comes out as an error that names the widget. */
  async function build(reference, scope, page) {
    const model = page.models.get(idOf(reference));
    const name = model ? nameOf(model) : `widget ${idOf(reference)}`;
    try {
      if (!model) throw new Error(page.error ?? `it is not in the saved state; ${AGAIN}`);
      const view = VIEWS[model.name];
      if (!view) throw new Error(KERNEL);
      if (model.broken) throw new Error(model.broken);
      const bad = Object.keys(model.state).find((key) => hasNaN(model.get(key)));
      if (bad) throw new Error(`its trait ${bad} holds NaN; give it numbers or None`);
      const node = await view(scope.lend(model), scope, page, model);
      node.classList.add(...model.get("_dom_classes") ?? []);
      const layout = page.models.get(idOf(model.get("layout")));
      if (layout) window.nokernelLooks?.(node, layout);
      if (model.get("_nk_alone")) node.addEventListener("input", () => alone(node, model), { once: true });
      return node;
    } catch (error) {
      if (error?.named) throw error;
      const text = `${name}: ${error?.message ?? error}`;
      throw Object.assign(new Error(text, { cause: error }), { named: true });
    }
  }

  /** Says, once it is moved, that what followed a control did so by a kernel's code. */
  function alone(node, model) {
    const name = model.get("description") || nameOf(model);
    const textContent = `Nothing on this page follows “${name}”: that needs a kernel.`;
    node.after(el("p", { className: "nk-not-live", role: "status", textContent }));
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

  /** The widget that a failure names, for the page; the console has the whole of it. */
  function brief(text) {
    const [name, reason] = text.split(": ");
    if (!reason) return "";
    return ` (${name}${reason === KERNEL ? ` ${KERNEL}` : ""})`;
  }

  /** Mounts one view: it takes the picture's place or, when it fails, puts a note beside it. */
  async function figure(tag, page) {
    const still = tag.previousElementSibling?.matches(".nk-still") && tag.previousElementSibling;
    const parent = tag.parentNode, hint = still ? " The picture shows its first values." : "";
    let shown = null;
    const show = (node) => {
      shown?.remove();
      if (node) tag.before(node);
      shown = node;
      if (still) still.classList.toggle("nk-replaced", one.live());
      parent.classList.toggle("nk-mounted", Boolean(parent.querySelector(":scope > .nk-live")));
    };
    const scope = new Scope((text, cause) => {
      if (scope.gone.signal.aborted) return;
      scope.close();
      const textContent = `The live version of this figure could not run${brief(text)}.${hint}`;
      show(el("p", { className: "nk-not-live", role: "note", textContent }));
      warn(`a figure stays a still picture. ${text}`, cause);
    });
    const one = {
      live: () => Boolean(shown?.matches(".nk-live")),
      unmount: () => { scope.close(); show(null); delete tag.dataset.nkSeen; },
    };
    tag.dataset.nkSeen = "";
    try {
      const node = await build(parse(tag.textContent).model_id, scope, page);
      if (!scope.gone.signal.aborted) show(el("div", { className: "nk-live" }, node));
    } catch (error) {
      scope.fail(error.message, error.cause);
    }
    return one;
  }

  const pages = new WeakMap(); // what has been read of a root, for figures that come later
  const isCovered = (tag) => tag.closest(".nk-covered[hidden]");

  async function mount(root = document) {
    if (!pages.has(root)) pages.set(root, readPage(root));
    const page = pages.get(root);
    const tags = [...root.querySelectorAll(`${VIEW}:not([data-nk-seen])`)]
      .filter((tag) => !isCovered(tag));
    const figures = await Promise.all(tags.map((tag) => figure(tag, page)));
    const live = figures.filter((one) => one.live()).length;
    const detail = { live, still: figures.length - live };
    document.dispatchEvent(new CustomEvent("nk:mounted", { detail }));
    const unmount = () => {
      for (const one of figures) one.unmount();
      page.scope.close();
      pages.delete(root);
    };
    return { ...detail, unmount };
  }

  const parsed = new Promise((done) => document.readyState === "loading"
    ? document.addEventListener("readystatechange", done, { once: true }) : done());
  window.mountWidgets = { mount, Model, ready: parsed.then(() => mount()) };
  document.addEventListener("nk:uncovered", () => {
    mountWidgets.ready = mountWidgets.ready.then(() => mount());
  });
})();
