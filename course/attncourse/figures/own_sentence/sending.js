// The page's address says what the figure shows, so that it can be sent.
import { fromHash, toHash } from "./address.js";

const REST = 400; // milliseconds after which the address is written

/** The address of what the picture shows. waits() says whether a sentence is still to be
 *  read: then the address stays. */
export function makeSending({ model, picture, form, waits }) {
  let timer, touched = false;
  const here = () => {
    const [first, second] = picture.shown().texts;
    return toHash({ first, second, layer: model.get("layer"), head: model.get("head"), word: model.get("word") });
  };
  async function link() {
    history.replaceState(null, "", here());
    try {
      await navigator.clipboard.writeText(location.href);
      form.say("The link is copied. It opens this page with these sentences, this head and this token.");
    } catch {
      form.say("The link could not be copied. It is in the address bar now: copy it from there.");
    }
  }
  /** Write what is shown into the address, once the reader has changed something. */
  function remember() {
    clearTimeout(timer);
    if (touched) timer = setTimeout(() => waits() || history.replaceState(null, "", here()), REST);
  }
  return { link, remember, said: () => fromHash(location.hash), start: () => { touched = true; }, stop: () => clearTimeout(timer) };
}
