// Ranges, a button that stays pressed, and one that plays; mount-widgets.js takes them from here.
// Loaded on pages that have some. Each view is a function of (model, scope, page, shared).
(window.nokernelViews ??= []).push(({ el, follow, describe, format }) => {
  let count = 0;

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
    IntRangeSliderModel: range,
    FloatRangeSliderModel: range,
    SelectionRangeSliderModel: selectionRange,
    ToggleButtonModel: toggle,
    PlayModel: play,
  };
  return VIEWS;
});
