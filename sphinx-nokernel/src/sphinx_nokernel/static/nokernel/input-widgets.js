// Fields and lists that a reader fills in or chooses from; mount-widgets.js takes them from here.
// Loaded on pages that have some. Each view is a function of (model, scope, page, shared).
(window.nokernelViews ??= []).push(({ el, row }) => {
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
  };
  return VIEWS;
});
