// What all scripts of widgets share: elements that follow a model, their labels and numbers.
(() => {
  "use strict";

  let count = 0; // for element ids
  const newId = () => `nk-${++count}`;

  const el = (tag, props, ...children) => {
    const node = Object.assign(document.createElement(tag), props);
    node.append(...children);
    return node;
  };

  /** Runs update now and after every change, in the same task as the change. */
  const follow = (model, update) => {
    model.on("change", update);
    update();
  };
  const describe = (model, node) => {
    node.textContent = model.get("description") || model.get("tooltip") || window.nokernelModels.nameOf(model);
    node.classList.toggle("nk-spoken", !model.get("description"));
  };

  /** An input beside its label; update runs now and after every change of the model. */
  function row(model, input, update, ...rest) {
    input.id = newId();
    const label = el("label", { htmlFor: input.id });
    follow(model, () => {
      describe(model, label);
      input.disabled = Boolean(model.get("disabled"));
      update();
    });
    const pair = input.type === "checkbox" ? [input, label] : [label, input];
    return el("div", { className: "nk-control" }, ...pair, ...rest);
  }

  /** A number in d3's format, for kinds d, e, f, g and %; others come out plain. */
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

  window.nokernelKit = { el, follow, describe, row, format, newId };
})();
