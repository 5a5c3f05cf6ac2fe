// Predictions and challenges: covers what follows each until the reader has guessed, or a
// figure has said "nk:met" on its element, or the reader has asked to be shown: then the
// figure before a challenge gets "nk:show". memory.js keeps guesses, where the browser lets it.
// A figure that speaks gives "nk:met" a detail.sayAfter(words), which says them after its own.
//
//   covered   <div class="nk-covered" hidden>; "until-found" where the browser can search it
//   guessed   the fieldset has data-guessed, also when asked to show the answer: the choice
//             made and the right one show their feedback
//
// The document gets "nk:uncovered" at each part that is shown, so that figures in it mount,
// and "nk:guessed" at a question, with { first, right }; right is null where none is.
// window.nokernelPredictions = { show() uncovers all of the page, forget() covers it again,
// reveal(element) uncovers the part that it is in }. predict-links.js follows links there.
(() => {
  "use strict";

  const HIDDEN = "onbeforematch" in document.documentElement ? "until-found" : "";
  const questions = [...document.querySelectorAll("fieldset.nk-predict, .nk-challenge")].map(furnish);
  const again = startOver();
  window.nokernelPredictions = { show: () => questions.forEach(uncover), forget, reveal };

  function element(name, props, ...children) {
    const made = Object.assign(document.createElement(name), props);
    made.append(...children);
    return made;
  }

  // ── What is kept: { id of the question: number of the choice, or "shown" } ──

  const memory = window.nokernelMemory;
  const keep = (id, guess) => memory?.note("guesses", id, guess);

  // ── One question ──

  function furnish(box) {
    const covered = document.querySelector(`.nk-covered[data-by="${box.id}"]`);
    const inputs = [...box.querySelectorAll("input")];
    const show = element("button", { type: "button", className: "nk-show", textContent: "Show me" });
    const voice = element("p", { className: "nk-spoken" });
    voice.setAttribute("role", "status");
    box.append(element("div", { className: "nk-actions" },
      element("span", { textContent: `${box.dataset.words ?? "Guess to go on"}, or:` }), show), voice);
    const question = { box, covered, inputs, show, voice };
    show.addEventListener("click", () => {
      keep(box.id, "shown");
      box.dataset.guessed = "";
      goOn(question);
      voice.textContent = answerOf(box);
      covered?.focus({ preventScroll: true });
      if (!inputs.length) figureBefore(box)?.dispatchEvent(new CustomEvent("nk:show"));
    });
    box.addEventListener("change", ({ target }) => guess(question, inputs.indexOf(target)));
    box.addEventListener("keydown", (event) => step(question, event));
    return question;
  }

  function guess(question, number) {
    const { box, inputs, voice } = question;
    const choice = inputs[number].closest(".nk-choice");
    const first = !("guessed" in box.dataset);
    box.dataset.guessed = "";
    keep(box.id, number);
    goOn(question);
    const feedback = choice.querySelector(".nk-feedback");
    const right = choice.matches(".nk-right") || (choice.matches(".nk-wrong") ? false : null);
    const verdict = feedback.querySelector(".nk-greeting") || right === null ? "" : right ? "Right." : "Not so.";
    const said = [verdict, wordsOf(feedback), right === false ? answerOf(box) : "", first ? "The page goes on below." : ""];
    voice.textContent = said.filter(Boolean).join(" ");
    box.dispatchEvent(new CustomEvent("nk:guessed", { bubbles: true, detail: { first, right } }));
  }

  // As it is read: a formula once, not as MathML, as TeX and as it is drawn.
  function wordsOf(node) {
    const copy = node.cloneNode(true);
    for (const one of copy.querySelectorAll(".nk-tex, [aria-hidden=true]")) one.remove();
    return copy.textContent.trim();
  }

  // The right choice with its sentence; nothing where no choice is the right one.
  function answerOf(box) {
    const [label, feedback] = box.querySelectorAll(".nk-right :is(label, .nk-feedback)");
    if (!label) return "";
    const copy = feedback.cloneNode(true);
    copy.querySelector(".nk-greeting")?.remove();
    const why = wordsOf(copy), first = why.charAt(0).toUpperCase();
    return `The answer: ${wordsOf(label).replace(/\.$/, "")}. ${first}${why.slice(1)}`;
  }

  const figureBefore = (box) => [...document.querySelectorAll(".nk-any")]
    .findLast((one) => one.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);

  // A figure's challenge is met: the first one after the figure goes on.
  function meet({ target, detail }) {
    const after = ({ box }) => target.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING;
    const question = questions.find((one) => one.box.matches(".nk-challenge") && after(one));
    if (!question?.covered?.hasAttribute("hidden")) return;
    keep(question.box.id, "shown");
    uncover(question);
    const goesOn = "The page goes on below.";
    if (detail?.sayAfter) detail.sayAfter(goesOn);
    else question.voice.textContent = goesOn;
  }

  // Before a guess, arrow keys only move along the choices: Space or Enter makes the guess.
  function step({ box, inputs }, event) {
    const at = inputs.indexOf(event.target);
    if (at < 0 || "guessed" in box.dataset) return;
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by) inputs.at((at + by) % inputs.length).focus();
    else if (event.key === "Enter") inputs[at].click();
    else return;
    event.preventDefault();
  }

  // ── Covering ──

  function cover({ box, covered, inputs, show, voice }) {
    delete box.dataset.guessed;
    for (const input of inputs) input.checked = false;
    voice.textContent = "";
    show.parentNode.hidden = false;
    if (!covered) return;
    covered.tabIndex = -1;
    covered.setAttribute("hidden", HIDDEN);
  }

  function uncover({ covered, show }) {
    show.parentNode.hidden = true;
    again.hidden = false;
    if (!covered?.hasAttribute("hidden")) return;
    covered.removeAttribute("hidden");
    covered.dispatchEvent(new CustomEvent("nk:uncovered", { bubbles: true }));
  }

  // Where one answers, the question stays in its place, not what follows it.
  function goOn(question) {
    const { classList } = document.documentElement;
    classList.add("nk-uncovering");
    setTimeout(() => classList.remove("nk-uncovering"), 300);
    uncover(question);
  }

  function remember(question) {
    const before = memory?.get("guesses")[question.box.id];
    const input = Number.isInteger(before) && question.inputs[before];
    if (!input && before !== "shown") return;
    if (input) input.checked = true;
    question.box.dataset.guessed = "";
    uncover(question);
  }

  function startOver() {
    const button = element("button", { type: "button", textContent: "Hide the answers and start over" });
    button.addEventListener("click", () => {
      forget();
      questions[0].box.tabIndex = -1;
      questions[0].box.focus();
    });
    const line = element("p", { className: "nk-start-over", hidden: true }, button);
    const last = questions.at(-1);
    (last?.covered ?? last?.box)?.after(line);
    return line;
  }

  function forget() {
    memory?.forget("guesses");
    again.hidden = true;
    questions.forEach(cover);
  }

  /** Uncovers the part that an element is in, and the answer; says whether it was covered. */
  function reveal(target) {
    const question = questions.find(({ covered }) => covered?.contains(target));
    if (!question?.covered.hasAttribute("hidden")) return false;
    question.box.dataset.guessed = "";
    uncover(question);
    return true;
  }

  questions.forEach(cover);
  questions.forEach(remember);
  delete document.documentElement.dataset.nkCover;
  document.addEventListener("nk:met", meet);
})();
