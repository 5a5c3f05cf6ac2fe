// Widgets that bring their own module (anywidget): each is imported from the saved state.
(window.nokernelViews ??= []).push(({ el }) => {
  const { AGAIN } = window.nokernelModels;

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
    AnyModel: anywidget,
  };
  return VIEWS;
});
