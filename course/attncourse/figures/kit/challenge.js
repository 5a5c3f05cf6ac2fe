// A challenge: what a reader is to reach in a figure, and how it is shown to one who asks.
import { glide, still } from "./drag.js";
import { announce, sayAfter, shortened } from "./voice.js";

const LONG = 900; // milliseconds from where the controls stand to where the goal is met

/** A state on the way to another: of what slides, a share of the way. */
function between(from, to, controls, share) {
  const along = (x, y) => x + (y - x) * share, slide = ({ name, each }) =>
    [name, each ? to[name].map((x, i) => along(from[name][i], x)) : along(from[name], to[name])];
  return { ...to, ...Object.fromEntries(controls.filter(({ step }) => step).map(slide)) };
}

/** What `live` takes as its task. goal(numbers, state, start, data) says whether the challenge
 *  is met, or which parts of it are; the page hears "nk:met" when it becomes so. Of a guess
 *  nothing is said. At "nk:show" the controls go to the declared state that meets it. */
export const challenge = (goal, { isGuess = false } = {}) => ({ el, spec, data, begun, start, state, jump }) => {
  let won, told;
  el.addEventListener("nk:show", () => {
    const from = state(), to = { ...begun, ...spec.solved };
    glide((share) => {
      jump(between(from, to, spec.controls, share));
      if (share === 1) announce(`${spec.told}. ${shortened(told)}`);
    }, LONG);
    el.closest(".aw-panel").scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
  });
  return (numbers, at, { said }) => {
    const reached = [goal(numbers, at, start, data)].flat(), before = won;
    won = reached.every(Boolean);
    told = said;
    if (won && before === false) el.dispatchEvent(new CustomEvent("nk:met", { bubbles: true, detail: { sayAfter } }));
    return { reached, said: won && !isGuess ? ["Goal reached", ...said] : said };
  };
};
