// Widgets that show something or hold others, beyond those of mount-widgets.js, which
// takes them from here. Loaded on pages that have some.
(window.nokernelViews ??= []).push(({ el, follow, describe, build }) => {
  let count = 0;

  /** Markup that the author saved; scripts in it do not run. Formulas go to MathJax. */
  function html(model) {
    const label = el("span", { className: "nk-control-title" }), body = el("div", { className: "nk-html" });
    follow(model, () => {
      describe(model, label);
      label.hidden = !model.get("description");
      body.innerHTML = model.get("value") ?? "";
      if (model.name === "HTMLMathModel") typeset(body);
    });
    return el("div", { className: "nk-control" }, label, body);
  }

  const typeset = (node) => window.MathJax?.typesetPromise?.([node]);

  function progress(model) {
    const bar = el("progress"), label = el("span", { className: "nk-control-title" });
    follow(model, () => {
      const min = model.get("min") ?? 0, max = model.get("max") ?? 100;
      describe(model, label);
      Object.assign(bar, { max: max - min, value: (model.get("value") ?? min) - min });
      bar.setAttribute("aria-label", label.textContent);
    });
    return el("div", { className: "nk-control" }, label, bar);
  }

  function valid(model) {
    const node = el("span", { className: "nk-text" });
    follow(model, () => {
      const words = model.get("value") ? "✓" : `✗ ${model.get("readout") ?? "Invalid"}`;
      node.textContent = [model.get("description"), words].filter(Boolean).join(" ");
    });
    return node;
  }

  /** A picture, whose bytes were saved apart. */
  function image(model) {
    const data = model.get("value"), kind = { "svg+xml": "svg+xml", svg: "svg+xml", jpg: "jpeg" };
    const format = model.get("format") ?? "png";
    if (!(data instanceof DataView)) throw new Error("its bytes are not in the saved state");
    const url = URL.createObjectURL(new Blob([data], { type: `image/${kind[format] ?? format}` }));
    const node = el("img", { src: url, alt: model.get("tooltip") ?? "A picture", className: "nk-image" });
    for (const key of ["width", "height"]) if (model.get(key)) node[key] = parseInt(model.get(key), 10);
    return node;
  }

  // ── Outputs, as they were saved ──

  const FORMS = ["application/vnd.jupyter.widget-view+json", "text/html", "image/svg+xml", "image/png",
    "image/jpeg", "text/latex", "text/markdown", "text/plain"];
  const flat = (text) => [text ?? ""].flat().join("");
  const pre = (text, name) => el("pre", { className: name, textContent: text.replace(/\u001b\[[\d;]*m/g, "") });

  async function saved(output, scope, page) {
    if (output.output_type === "stream") return pre(flat(output.text), `nk-stream nk-${output.name}`);
    if (output.output_type === "error") return pre(flat((output.traceback ?? []).join("\n")), "nk-stream nk-stderr");
    const kind = FORMS.find((form) => form in (output.data ?? {}));
    const data = output.data?.[kind];
    if (kind === FORMS[0]) return build(data.model_id, scope, page);
    if (kind === "text/html" || kind === "image/svg+xml") return el("div", { innerHTML: flat(data) });
    if (kind?.startsWith("image/")) {
      return el("img", { src: `data:${kind};base64,${flat(data)}`, alt: flat(output.data["text/plain"]) || "A picture" });
    }
    const node = pre(flat(data), "nk-stream");
    if (kind === "text/latex") typeset(node);
    return node;
  }

  async function output(model, scope, page) {
    const parts = (model.get("outputs") ?? []).map((one) => saved(one, scope, page));
    return el("div", { className: "nk-output" }, ...await Promise.all(parts));
  }

  // ── Boxes ──

  const children = (model, scope, page) =>
    Promise.all((model.get("children") ?? []).map((child) => build(child, scope, page)));
  // Before ipywidgets 8, titles were kept by number.
  const titleOf = (model, i) => model.get("titles")?.[i] || model.get("_titles")?.[i] || `${i + 1}`;

  async function grid(model, scope, page) {
    return el("div", { className: "nk-grid" }, ...await children(model, scope, page));
  }

  async function stack(model, scope, page) {
    const parts = await children(model, scope, page);
    follow(model, () => parts.forEach((part, i) => { part.hidden = i !== model.get("selected_index"); }));
    return el("div", { className: "nk-vbox" }, ...parts);
  }

  async function tab(model, scope, page) {
    const name = `nk-tab-${++count}`, parts = await children(model, scope, page);
    const panels = parts.map((part, i) => {
      const panel = el("div", { role: "tabpanel", id: `${name}-panel-${i}` }, part);
      panel.setAttribute("aria-labelledby", `${name}-${i}`);
      return panel;
    });
    const tabs = parts.map((_, i) => {
      const one = el("button", { type: "button", role: "tab", id: `${name}-${i}`, textContent: titleOf(model, i) });
      one.setAttribute("aria-controls", panels[i].id);
      one.addEventListener("click", () => model.set("selected_index", i));
      return one;
    });
    const list = el("div", { className: "nk-tabs", role: "tablist" }, ...tabs);
    list.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = (tabs.indexOf(event.target) + by + tabs.length) % tabs.length;
      model.set("selected_index", next);
      tabs[next].focus();
    });
    follow(model, () => {
      const at = model.get("selected_index") ?? 0;
      tabs.forEach((one, i) => { one.ariaSelected = String(i === at); one.tabIndex = i === at ? 0 : -1; });
      panels.forEach((panel, i) => { panel.hidden = i !== at; });
    });
    return el("div", { className: "nk-vbox" }, list, ...panels);
  }

  const VIEWS = {
    HTMLModel: html,
    HTMLMathModel: html,
    IntProgressModel: progress,
    FloatProgressModel: progress,
    ValidModel: valid,
    ImageModel: image,
    OutputModel: output,
    GridBoxModel: grid,
    StackModel: stack,
    TabModel: tab,
  };
  return VIEWS;
});
