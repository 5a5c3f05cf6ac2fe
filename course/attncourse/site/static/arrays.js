// A printed array is a table, too, for those who listen: as the page comes, and after a
// cell was run. The lines stay as NumPy prints them, for eyes; behind them stands the same
// as a table. A cell's data-arrays names its arrays, one after the other, each by its rows
// and its columns; others are counted.
(() => {
  const ARRAY = /\[\[[^[\]]*\](?:,?\s*\n\s*\[[^[\]]*\])+\]/g;
  const PRINTED = ".output:is(.stream, .text_plain) pre:not(:has([aria-hidden]))";
  const make = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const head = (scope) => (text) => make("th", { scope, textContent: text });
  const counted = (word, list) => list.map((_, i) => `${word} ${i + 1}`);
  // As one says it: no point at its end, and a minus sign.
  const said = (number) => number.replace(/\.$/, "").replaceAll("-", "−");

  /** The line above an array, which names it, or what it is. */
  function captionOf(before) {
    const above = before.split("\n").at(-2) ?? "";
    return above && !above.includes("[") ? above : "Printed array";
  }

  function tableOf(caption, text, [names, columns] = []) {
    const rows = [...text.matchAll(/\[([^[\]]+)\]/g)].map(([, row]) => row.match(/[^\s,]+/g) ?? []);
    const heads = (names?.length ? names : counted("row", rows)).map(head("row"));
    const tops = (columns?.length ? columns : counted("column", rows[0])).map(head("col"));
    const cells = (row) => row.map((one) => make("td", { textContent: said(one) }));
    return make("table", {}, make("caption", { textContent: caption }),
      make("thead", {}, make("tr", {}, make("td"), ...tops)),
      make("tbody", {}, ...rows.map((row, i) => make("tr", {}, heads[i], ...cells(row)))));
  }

  function tell(pre, names, told) {
    const text = pre.textContent, found = [...text.matchAll(ARRAY)];
    if (!found.length || [...pre.children].some((one) => one.textContent)) return; // colored
    const parts = [], tables = [];
    let end = 0;
    for (const { 0: array, index } of found) {
      const lines = make("span", { textContent: array });
      lines.setAttribute("aria-hidden", "true");
      parts.push(text.slice(end, index), lines);
      tables.push(tableOf(captionOf(text.slice(0, index)), array, names[told + tables.length]));
      end = index + array.length;
    }
    pre.replaceChildren(...parts, text.slice(end));
    pre.closest(".output").append(make("div", { className: "aw-array" }, ...tables));
    return tables.length;
  }

  function tellAll(cell) {
    const names = JSON.parse(cell.dataset.arrays ?? "[]");
    let told = 0;
    for (const pre of cell.querySelectorAll(PRINTED)) told += tell(pre, names, told) ?? 0;
  }

  document.querySelectorAll("div.cell").forEach(tellAll);
  document.addEventListener("nk:ran", ({ target }) => tellAll(target));
})();
