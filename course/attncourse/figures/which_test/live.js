// Lesson 17: choose the inputs of a test, and see which bugs go unnoticed.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { htmlNode } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const FEWEST = 3; // inputs that leave none unnoticed

/** Every number of the figure, from what is chosen. */
export function compute({ chosen }, { bugs, inputs, shows }) {
  const run = inputs.map((_, j) => chosen.includes(j));
  const seen = shows.map((row) => row.map((shown, j) => (run[j] ? shown : null)));
  const missed = bugs.filter((_, i) => !seen[i].some(Boolean));
  return { run: [run], seen, missed, n_run: run.filter(Boolean).length,
    n_seen: bugs.length - missed.length, case: missed.length ? "some" : "all" };
}

/** A button for each input, which runs it or leaves it out. */
function makeButtons(inputs, press) {
  return inputs.map((name, j) => {
    const button = htmlNode("button", { type: "button", className: "aw-input", textContent: `${j + 1} ${name}` });
    button.addEventListener("click", () => press(j));
    return button;
  });
}

/** A table with a row for each bug; its cells in rows. */
function makeMarks(bugs, inputs) {
  const cell = (textContent, scope) => htmlNode("th", { scope, textContent });
  const heads = inputs.map((_, j) => cell(`${j + 1}`, "col")), names = bugs.map((bug) => cell(bug, "row"));
  const cells = bugs.map(() => inputs.map(() => htmlNode("td")));
  const head = htmlNode("tr", {}, cell("bug", "col"), ...heads);
  const body = names.map((name, i) => htmlNode("tr", {}, name, ...cells[i]));
  const table = htmlNode("table", { className: "aw-marks", ariaLabel: "Which input shows which bug" },
    htmlNode("thead", {}, head), htmlNode("tbody", {}, ...body));
  return { table, cells, rows: body };
}

function draw({ el, data: { bugs, inputs, shows }, flip }) {
  const buttons = makeButtons(inputs, (j) => flip("chosen", j)), { table, cells, rows } = makeMarks(bugs, inputs);
  const note = htmlNode("p", { className: "aw-verdict" });
  const left = htmlNode("div", { className: "aw-inputs", role: "group", ariaLabel: "Inputs that are run" }, ...buttons);
  el.append(htmlNode("div", { className: "aw-columns" }, htmlNode("div", {}, left, note), table));
  return ({ run: [run], seen, n_run: n, missed }, _, { summary }) => {
    buttons.forEach((button, j) => button.setAttribute("aria-pressed", run[j]));
    cells.forEach((row, i) => row.forEach((one, j) => {
      one.textContent = run[j] ? (shows[i][j] ? "✗" : "–") : "";
    }));
    rows.forEach((row, i) => row.classList.toggle("aw-missed", !seen[i].some(Boolean)));
    retell(note, summary);
  };
}

export const goal = ({ missed, n_run: n }) => !missed.length && n <= FEWEST;

export default live({ compute, draw, task: challenge(goal) });
