// One voice for the page: after a control of a figure was moved, what changed in its words
// is said, once the hand rests. What a page shows when it opens is there to be read, not
// said; and a figure that nobody is at stays silent.

const PAUSE = 600; // milliseconds after the last change
const AT_MOST = 12; // words: what one listens to before the next key
const VOICE = "aw-voice"; // each figure is a module of its own: they share what is in the page

const heard = new WeakMap(); // the clauses of a node, as they were when last said
const waiting = new Map(); // the clauses of those that changed since
let timer, last; // what comes after the changes

/** Describe a drawing in words; what changes in them is said. */
export function speakOf(svg, words) {
  svg.setAttribute("aria-label", words);
  hear(svg, clausesOf(words));
}

/** Say a note of a figure whenever it changes, whole, and before what its drawings say; of
 *  several clauses, those that changed. */
export function tellOf(note, words = note.textContent) {
  hear(note, [words].flat().map((one) => one.replace(/\.$/, "")), true);
}

function hear(node, clauses, isNote = false) {
  region();
  if (!heard.has(node) || !node.closest(".aw-panel")?.contains(document.activeElement)) {
    return heard.set(node, clauses);
  }
  waiting.set(node, { clauses, isNote });
  rest();
}

/** Say something of the page once the figure has said what changed, in the same region: of
 *  two that speak at once, one is not heard. */
export function sayAfter(words) {
  last = words;
  rest();
}

function rest() {
  clearTimeout(timer);
  timer = setTimeout(sayChanges, PAUSE);
}

function sayChanges() {
  const changed = [...waiting].sort(([, one], [, other]) => other.isNote - one.isNote)
    .flatMap(([node, { clauses }]) => newClauses(heard.get(node), clauses));
  for (const [node, { clauses }] of waiting) heard.set(node, clauses);
  waiting.clear();
  const words = changed.length ? shortened([...new Set(changed)]) : last;
  if (!changed.length) last = undefined;
  if (words) announce(words);
  if (last) rest();
}

/** The parts of a description: sentences, and what in a list begins with a name. */
export function clausesOf(words) {
  return words.split(/(?<=[.;])\s+|,\s+(?=[^\d()]*\p{L})/u)
    .map((clause) => clause.trim().replace(/[.;,]$/, "")).filter(Boolean);
}

/** Those that were not among the clauses before. */
export function newClauses(before, after) {
  return after.filter((clause) => !before.includes(clause));
}

/** As many clauses as one listens to, and how many more there are: within the limit, but
 *  for a first clause that goes beyond it alone. */
export function shortened(clauses) {
  const said = clauses.map((_, i) => {
    const more = clauses.length - i - 1, kept = clauses.slice(0, i + 1).join(", ");
    return more ? `${kept}, ${more} more` : kept;
  });
  const fit = said.findLast((words) => words.split(/\s+/).length <= AT_MOST);
  return fit ?? clauses[0];
}

/** Say something at once. */
export function announce(words) {
  region().textContent = words;
}

// One text in one node: of several, browsers hand on pieces. It is there, and not empty,
// before the first words come: Firefox says what changes in a region, not a new region.
function region() {
  const found = document.getElementById(VOICE);
  if (found) return found;
  const made = document.createElement("p");
  made.id = VOICE;
  made.setAttribute("aria-live", "polite");
  made.textContent = "\u00a0";
  made.style.cssText = "position:absolute;top:0;margin:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";
  document.body.append(made);
  document.addEventListener("focusin", leaveText);
  return made;
}

// A screen reader's caret stays in what it read last. Were it in a text that a control
// changes, the change would be read as a step of the caret, in place of the control's value.
function leaveText({ target }) {
  const caret = getSelection(), writes = target.selectionStart != null;
  if (caret.isCollapsed && !writes && target.closest(".aw-panel")) caret.removeAllRanges();
}
