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
// input-, range- and display-widgets.js know more, and widget-looks.js their layouts.
//
// Anything else (a NaN trait; a module that throws, now or
// later; no saved state) keeps the still picture, adds one line beside it that names the
// widget, and warns once in the console. The page's other figures go on.
//
// A figure in a part that a prediction covers is mounted when that part is shown.
//
// window.mountWidgets = { mount(root) → { live, still, unmount }, ready (the promise of the
// page's last mount), Model }. The document gets "nk:mounted" with detail { live, still }.
(async () => {
  "use strict";

  // Scripts marked "async" come in any order; the others are all here before this one.
  if (document.currentScript.async && document.readyState !== "complete") {
    await new Promise((done) => addEventListener("load", done, { once: true }));
  }
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
  const KERNEL = "needs a kernel";
  const { AGAIN, Model, Scope, idOf, nameOf, parse, readPage, warn } = window.nokernelModels;
  const { el } = window.nokernelKit;

  const VIEWS = {}; // how each kind of model is shown, from the scripts of widgets
  const kit = { ...window.nokernelKit, build };
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
