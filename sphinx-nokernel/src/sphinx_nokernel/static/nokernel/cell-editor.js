// What stands below a cell, Run, Stop, Edit and Reset, and the editor: a text box in place
// of the code, until Reset.
(() => {
  "use strict";
  const { element } = window.nokernelOutputs;
  // kept-cells.js, in a book that wants edits kept; else they last as long as the page.
  const { keep = () => {}, before = () => null } = window.nokernelKeptCells ?? {};

  const fit = (box) => { box.rows = box.value.split("\n").length + 1; };

  /** Gives a cell its text box; edit() shows it. */
  function makeBox(cell) {
    cell.box = element("textarea", "live-editor");
    Object.assign(cell.box, { spellcheck: false, autocapitalize: "off", value: cell.source });
    cell.box.setAttribute("aria-label", `Python code of ${cell.name}; Shift and Enter run it`);
    cell.box.oninput = () => { fit(cell.box); keep(cell); };
  }

  function edit(cell, text = cell.source) {
    if (cell.box.isConnected) return;
    cell.box.value = text;
    cell.shown.before(cell.box);
    cell.reset.hidden = false;
    fit(cell.box);
  }

  /** Takes away what the text box stands in place of. */
  function settle(cell) {
    if (cell.box.isConnected) cell.shown.remove();
    cell.edit.hidden = cell.box.isConnected;
  }

  /** Puts the page's own code and outputs back. */
  function reset(cell) {
    if (cell.box.isConnected) cell.box.replaceWith(cell.shown);
    cell.box.value = cell.source;
    keep(cell);
    cell.stale = false;
    cell.output.replaceChildren(...cell.built);
    if (!cell.built.length) cell.output.remove();
    cell.edit.hidden = false;
    cell.reset.hidden = true;
    delete cell.el.dataset.live;
    cell.status.textContent = "As it was.";
    cell.run.focus();
  }

  /** Shows what the reader wrote on an earlier visit. */
  function recall(cell) {
    const edited = before(cell);
    if (!edited) return;
    edit(cell, edited.text);
    settle(cell);
    cell.status.textContent = edited.words;
  }

  // Enter keeps the indentation, and adds to it after a colon.
  function newline(box) {
    const line = box.value.slice(0, box.selectionStart).split("\n").pop();
    const indent = line.match(/^\s*/)[0] + (/:\s*$/.test(line) ? "    " : "");
    box.setRangeText("\n" + indent, box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input"));
  }

  function button(cell, text, act) {
    const made = element("button", "", text);
    made.type = "button";
    made.setAttribute("aria-label", `${text} ${cell.name}`);
    made.onclick = act;
    cell.bar.append(made);
    return made;
  }

  /** Adds the buttons; `act` holds what Run and Stop do. */
  function addBar(cell, act) {
    cell.bar = element("div", "live-bar");
    cell.run = button(cell, "Run", () => act.run(cell));
    cell.stop = button(cell, "Stop", act.stop);
    cell.edit = button(cell, "Edit", () => {
      edit(cell);
      cell.box.setSelectionRange(0, 0); // a caret at the end scrolls the beginnings away
      cell.box.focus();
      // In Firefox, Orca takes any button that goes for the one that had the focus, and
      // then says nothing of the text box: Copy and Edit, unseen, go once it has spoken.
      setTimeout(settle, 500, cell);
    });
    cell.reset = button(cell, "Reset", () => reset(cell));
    cell.stop.hidden = cell.reset.hidden = true;
    cell.status = element("span", "live-status");
    cell.status.setAttribute("role", "status");
    cell.bar.append(cell.status, element("span", "live-number", cell.name));
  }

  /** Shift and Enter run the cell; in its editor, Enter begins a line. */
  function listen(cell, run) {
    cell.el.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      const go = event.shiftKey || event.ctrlKey || event.metaKey;
      if (go) run(cell);
      else if (event.target === cell.box && !event.isComposing) newline(cell.box);
      else return;
      event.preventDefault();
    };
  }

  window.nokernelEditor = { addBar, listen, makeBox, recall };
})();
