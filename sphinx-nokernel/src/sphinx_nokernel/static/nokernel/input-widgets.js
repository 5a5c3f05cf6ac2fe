// Widgets that a reader sets, beyond those of mount-widgets.js, which takes them from here.
// Loaded on pages that have some. Each view is a function of (model, scope, page, shared).
(window.nokernelViews ??= []).push(({ el, follow, describe, row, format }) => {
  let count = 0;

  /** An input with a label; `trait` is a string, or what read and write make of one. */
  function field(model, input, { trait = "value", read = (x) => x, write = (x) => x ?? "" } = {}) {
    const event = model.get("continuous_update") === false || !/^(text|search)/.test(input.type) ? "change" : "input";
    input.addEventListener(event, () => {
      const value = read(input.value);
      if (value !== undefined) model.set(trait, value);
    });
    return row(model, input, () => {
      const value = String(write(model.get(trait)));
      if (input.value !== value) input.value = value;
      if (model.get("placeholder")) input.placeholder = model.get("placeholder");
    });
  }

  const text = (model) => field(model, el("input", { type: "text" }));
  const textarea = (model) => field(model, el("textarea", { rows: model.get("rows") ?? 4 }));
  const color = (model) => field(model, el("input", { type: "color" }), { write: (x) => hex(x) });
  const date = (model) => field(model, el("input", { type: "date" }), {
    read: (x) => (x ? dated(x) : null),
    write: (x) => (x ? [x.year, x.month + 1, x.date].map((n) => String(n).padStart(2, "0")).join("-") : ""),
  });
  const dated = (x) => {
    const [year, month, day] = x.split("-").map(Number);
    return { year, month: month - 1, date: day };
  };

  function hex(name) {
    const context = el("canvas").getContext("2d");
    context.fillStyle = name ?? "black";
    return context.fillStyle; // "#rrggbb", whatever the color's name
  }

  function numeric(model, round) {
    const input = el("input", { type: "number" }), { min, max, step } = model.state;
    if (min !== undefined) Object.assign(input, { min, max });
    input.step = step ?? (round ? 1 : "any");
    const read = (x) => {
      const value = Number(x);
      if (x === "" || !Number.isFinite(value)) return undefined;
      const inside = min === undefined ? value : Math.min(Math.max(value, min), max);
      return round ? Math.round(inside) : inside;
    };
    return field(model, input, { read });
  }

  function combobox(model) {
    const list = el("datalist", { id: `nk-list-${++count}` },
      ...(model.get("options") ?? []).map((value) => el("option", { value })));
    const control = text(model);
    control.querySelector("input").setAttribute("list", list.id);
    control.append(list);
    return control;
  }

  function select(model) {
    const names = model.get("_options_labels") ?? [];
    const input = el("select", { size: model.get("rows") ?? 5 }, ...names.map((name) => new Option(name)));
    input.addEventListener("input", () => model.set("index", input.selectedIndex));
    return row(model, input, () => { input.selectedIndex = model.get("index") ?? -1; });
  }

  function selectMultiple(model) {
    const names = model.get("_options_labels") ?? [];
    const input = el("select", { multiple: true, size: model.get("rows") ?? 5 },
      ...names.map((name) => new Option(name)));
    input.addEventListener("input", () => model.set("index",
      [...input.options].flatMap((option, i) => (option.selected ? [i] : []))));
    return row(model, input, () => {
      [...input.options].forEach((option, i) => { option.selected = (model.get("index") ?? []).includes(i); });
    });
  }

  /** Two range inputs, of which neither passes the other. */
  function ranges(model, { trait = "value", limits, text: words }) {
    const title = el("span", { className: "nk-control-title", id: `nk-range-${++count}` });
    const output = el("output", { ariaLive: "off" });
    const inputs = ["from", "to"].map((name, i) => {
      const input = el("input", { type: "range", ariaLabel: name });
      input.addEventListener("input", () => {
        const [low, high] = model.get(trait), at = input.valueAsNumber;
        model.set(trait, i ? [low, Math.max(at, low)] : [Math.min(at, high), high]);
      });
      return input;
    });
    follow(model, () => {
      describe(model, title);
      const [min, max, step] = limits(), value = model.get(trait) ?? [min, max];
      inputs.forEach((input, i) => {
        Object.assign(input, { min, max, step: step || "any", value: value[i], disabled: Boolean(model.get("disabled")) });
        input.setAttribute("aria-valuetext", words(value[i]));
      });
      output.textContent = value.map(words).join(" – ");
    });
    const group = el("div", { className: "nk-control", role: "group" }, title, ...inputs, output);
    group.setAttribute("aria-labelledby", title.id);
    return group;
  }

  const range = (model) => ranges(model, {
    limits: () => ["min", "max", "step"].map((key) => model.get(key)),
    text: (value) => format(value, model.get("readout_format")),
  });
  const selectionRange = (model) => {
    const names = model.get("_options_labels") ?? [];
    return ranges(model, { trait: "index", limits: () => [0, names.length - 1, 1], text: (i) => names[i] ?? "" });
  };

  function toggle(model) {
    const button = el("button", { type: "button", className: "nk-button" });
    button.addEventListener("click", () => {
      model.set("value", !model.get("value"));
      button.dispatchEvent(new Event("input", { bubbles: true }));
    });
    follow(model, () => {
      button.textContent = model.get("description") || model.get("tooltip") || "Toggle";
      button.ariaPressed = String(Boolean(model.get("value")));
      button.disabled = Boolean(model.get("disabled"));
    });
    return button;
  }

  function play(model, scope) {
    const button = el("button", { type: "button", className: "nk-button" });
    const step = () => {
      const { value, min, max, step: by } = model.state;
      if (value + by <= max) model.set("value", value + by);
      else if (model.get("repeat")) model.set("value", min);
      else stop();
    };
    let timer = null;
    const show = () => { button.textContent = timer ? "Pause" : "Play"; };
    const stop = () => { clearInterval(timer); timer = null; show(); };
    button.addEventListener("click", () => {
      if (timer) return stop();
      if (model.get("value") >= model.get("max")) model.set("value", model.get("min"));
      timer = setInterval(step, model.get("interval") ?? 100);
      show();
    });
    scope.own(stop);
    show();
    return button;
  }

  const VIEWS = {
    TextModel: text,
    TextareaModel: textarea,
    ComboboxModel: combobox,
    IntTextModel: (model) => numeric(model, true),
    BoundedIntTextModel: (model) => numeric(model, true),
    FloatTextModel: (model) => numeric(model, false),
    BoundedFloatTextModel: (model) => numeric(model, false),
    ColorPickerModel: color,
    DatePickerModel: date,
    SelectModel: select,
    SelectMultipleModel: selectMultiple,
    IntRangeSliderModel: range,
    FloatRangeSliderModel: range,
    SelectionRangeSliderModel: selectionRange,
    ToggleButtonModel: toggle,
    PlayModel: play,
  };
  return VIEWS;
});
