// Lessons: what is solved and what is still open, where one is, and the answers as a
// file. All of it is kept by nokernelMemory, on this device. Of a page:
//
//   solved   { id of a cell: 1 }
//   answers  { exercise/function: { exercise, function, source, verdict } }
//   unrun    { cells: [{ text, tags }] }, of a page that cannot run them
//   missed   { id of a question: 1 }
//   about    { place: { title, path, section, heading, tasks, at } }
addEventListener("DOMContentLoaded", () => {
  const memory = window.nokernelMemory;
  const tasks = [...document.querySelectorAll(".cell.aw-task")];
  if (!memory) return;
  const { make, saving, opener, PRIVATE } = window.attnKept;

  // ── What is solved ──

  const MOST_SAID = 60; // characters of what a cell prints
  const reports = (cell) => [...cell.querySelectorAll(".verdict")];
  const passed = (report) => report.matches(".verdict-passed");
  const number = (cell) => cell.querySelector(".live-number")?.textContent ?? "a cell";
  let line;

  // In Python, as for a notebook: an answer comes with what it needs of the cells above.
  const COLLECT = "from attncourse.teach.notebooks import answers_of_last\nanswers_of_last(cells)";

  const asRead = ({ el, text }) => ({ text, tags: el?.matches(".tag_solution") ? ["solution"] : [] });

  async function collect(cell, { state, cells }) {
    const above = cells.map(asRead);
    const shown = new Map(reports(cell).map((one) => [nameIn(one), verdictOf(one)]));
    const broken = { passed: false, findings: ["does-not-run"] };
    const found = JSON.parse(await window.nokernelPython(COLLECT, { cells: JSON.stringify(above) }));
    for (const answer of found) {
      const verdict = shown.get(answer.exercise) ?? (state === "error" ? broken : null);
      const name = `${answer.exercise}/${answer.function}`, before = memory.get("answers")[name];
      // What was right is not replaced by what is not.
      if (!verdict || (before?.verdict?.passed === true && !verdict.passed)) continue;
      memory.note("answers", name, { ...answer, verdict });
    }
  }

  const nameIn = (report) => /^\S+ (\w+):/.exec(report.textContent.trim())?.[1];
  const verdictOf = (report) => ({
    passed: passed(report),
    findings: [...report.querySelectorAll(".verdict-findings > li > code:first-child")].map((one) => one.textContent),
  });

  document.addEventListener("nk:ran", ({ target, detail }) => {
    const all = reports(target), printed = target.querySelector(".cell_output")?.textContent.trim() ?? "";
    const short = printed.length <= MOST_SAID && !printed.includes("\n") ? printed : ""; // longer ones are there to be read
    const told = (one) => [one.firstElementChild, one.querySelector(".verdict-findings > li")].map((node) => node?.textContent ?? "");
    const said = all.flatMap(told).join(" ").trim() || short;
    target.querySelector(".live-status").append(" ", make("span", { className: "nk-spoken", textContent: said }));
    if (!target.matches(".aw-task")) return;
    if (all.length && all.every(passed)) memory.note("solved", target.id, 1);
    collect(target, detail).catch(() => {}); // Python was stopped: the next run tells
  });

  // A page opened from a folder has no Python to find them: it keeps its cells as they are.
  function noteUnrun() {
    const { stuck, cells } = window.nokernelWorker ?? {};
    if (!stuck || erased) return;
    const edited = tasks.some(({ id }) => id in memory.get("cells"));
    const all = cells.map(({ el, text }) => asRead({ el, text: text() }));
    memory.note("unrun", "cells", edited ? all : undefined);
  }

  function count() {
    const solved = memory.get("solved");
    const open = tasks.filter((cell) => !solved[cell.id]);
    for (const cell of tasks) cell.toggleAttribute("data-solved", cell.id in solved);
    const links = open.flatMap((cell, i) => [i ? ", " : " Open: ", make("a", { href: `#${cell.id}`, textContent: number(cell) })]);
    line.replaceChildren(`${tasks.length - open.length} of ${tasks.length} solved.`, ...links);
  }

  function furnish() {
    const section = document.getElementById("practice") ?? tasks[0].closest("section");
    const heading = section.querySelector("h1, h2, h3");
    line = make("p", { className: "aw-solved" });
    const note = make("p", { className: "aw-kept-note", textContent: PRIVATE });
    heading.after(make("div", { className: "aw-kept" }, line, saving(() => [memory.page], opener()), note));
    document.addEventListener("nk:memory", count);
    count();
  }

  // ── What was guessed, and missed ──

  document.addEventListener("nk:guessed", ({ target, detail: { first, right } }) => {
    if (first && right !== null) memory.note("missed", target.id, right ? undefined : 1);
  });

  // A quiz may be tried until it is right: what counts is the first try of this visit.
  const tried = new Set();
  document.addEventListener("change", ({ target }) => {
    const choice = target.closest?.(".nk-quiz .nk-choice"), quiz = choice?.closest(".nk-quiz");
    if (!quiz?.querySelector(".nk-right") || tried.has(quiz.id)) return;
    tried.add(quiz.id);
    memory.note("missed", quiz.id, choice.matches(".nk-right") ? undefined : 1);
  });

  // ── Where one is ──

  const headings = [...document.querySelectorAll("article section[id] > :is(h1, h2)")];
  const words = (heading) => heading.cloneNode(true).textContent.replace(/#$/, "").trim();
  let erased = false; // then this page's place is not brought back when it is left
  document.addEventListener("nk:memory", ({ detail }) => { erased ||= detail.erased; });

  function place() {
    const here = headings.filter((one) => one.getBoundingClientRect().top < innerHeight / 2).at(-1);
    if (!here || erased) return;
    const path = location.href.replace(/[?#].*/, "").slice(memory.root.href.length);
    const [title] = headings, section = here === title ? "" : here.parentElement.id;
    memory.note("about", "place", {
      title: words(title), path, section, heading: words(here), tasks: tasks.length, at: Date.now(),
    });
  }

  const leave = () => { place(); noteUnrun(); };
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leave());
  addEventListener("pagehide", leave);
  Object.assign(window.attnKept, { place, noteUnrun });

  if (tasks.length) furnish();
});
