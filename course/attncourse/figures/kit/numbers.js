// Numbers of the text that stand in a figure light up there, or set it: the page sends
// nk:number (see sphinx_nokernel/numbers.py), and a figure answers if it knows the place.
import { announce, shortened } from "./voice.js";

/** Answer for a figure in a node: knows(place) says whether; peek(place) lights it and
 *  returns its words, back() darkens it, go(place) puts the focus there, from which Escape
 *  leads back to the text, or returns what to say of it. Returns a stop. */
export function answerNumbers(el, { knows, peek = () => {}, back = () => {}, go }) {
  let left = null;
  const acts = {
    ask() {},
    peek: (place, { spoken, from }) => {
      const top = () => from.getBoundingClientRect().top, was = top(), words = peek(place);
      scrollBy({ top: top() - was, behavior: "instant" }); // the picture above may be higher now
      if (spoken && words) announce(words);
    },
    leave: back,
    go: (place, { from }) => {
      back();
      const words = go(place);
      if (words) announce(words);
      left = from;
    },
  };
  const hear = (event) => {
    const { place, how } = event.detail;
    if (event.defaultPrevented || !knows(place)) return;
    event.preventDefault();
    acts[how](place, event.detail);
  };
  const escape = (event) => {
    if (event.key !== "Escape" || !left) return;
    left.focus();
    left = null;
  };
  document.addEventListener("nk:number", hear);
  el.addEventListener("keydown", escape);
  return () => {
    document.removeEventListener("nk:number", hear);
    el.removeEventListener("keydown", escape);
  };
}

/** Answer for a declared figure, whose places are parts of an address: of(place) reads one,
 *  jump(state) goes there, told() is what is then said of it. */
export function setByNumbers(el, of, jump, told) {
  return answerNumbers(el, {
    knows: (place) => !of(place).refused.length,
    go: (place) => {
      jump(of(place).state);
      el.querySelector("svg").scrollIntoView({ block: "nearest", behavior: "instant" });
      return shortened([told()].flat());
    },
  });
}
