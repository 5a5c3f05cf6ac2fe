// Boxes, text, sliders, lists and checkboxes, as native elements: what most figures have.
// mount-widgets.js has the table of what a reader gets.
(window.nokernelViews ??= []).push((kit) => {
  const { el, follow, describe, row, format, newId, build } = kit;

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
    const name = newId(), title = el("span", { id: name, className: "nk-control-title" });
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
    group.addEventListener("keydown", look);
    return group;
  }

  // While nothing is chosen, arrow keys only look at the options: Space or Enter chooses.
  function look(event) {
    const inputs = [...event.currentTarget.querySelectorAll("input")], at = inputs.indexOf(event.target);
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (at < 0 || inputs.some((one) => one.checked)) return;
    if (by) inputs.at((at + by) % inputs.length).focus();
    else if (event.key === "Enter") inputs[at].click();
    else return;
    event.preventDefault();
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
  };
  return VIEWS;
});
