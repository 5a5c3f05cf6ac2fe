// The page's address says what the machine shows: on the page of its own alone.
import { write } from "../kit/drag.js";
import { fromAddress, toHash } from "./address.js";
import { namesOf, sizesOf } from "./names.js";

const REST = 400; // milliseconds after which the address is written

/** The link of a machine: open() reads it; open() and next() say what to look at first; follow(again)
 *  listens to the address and returns a stop. */
export function makeLink(model) {
  const machines = model.get("machines"), stages = Object.keys(machines).map(Number), parts = model.get("parts");
  let timer, touched = false, place = {};
  const isCell = (stage, base, i, j, block) => {
    const { given } = machines[stage], sizes = given.blocks[block] && sizesOf(parts, namesOf(given, 0, block));
    if (["E", "P"].includes(base) !== Boolean(given.positions.length) && "XEP".includes(base)) return false;
    return Boolean(sizes?.[base]) && i < sizes[base][0] && j < sizes[base][1];
  };
  const said = () => {
    const found = model.get("linked") && (fromAddress(location.hash, stages, isCell) ?? fromAddress(location.search, stages, isCell));
    if (!found) return null;
    const { pick, at, ...traits } = found;
    traits.masked ??= machines[traits.stage].given.masks;
    return { pick: Math.min(pick, machines[traits.stage].given.blocks.length - 1), at, traits };
  };
  const remember = (pick, at) => {
    place = { pick, at };
    clearTimeout(timer);
    if (!model.get("linked") || !touched) return;
    timer = setTimeout(() => history.replaceState(null, "", toHash({ ...place, stage: model.get("stage"),
      choice: model.get("choice"), edits: model.get("edits"),
      masked: machines[model.get("stage")].given.masks ? model.get("masked") : undefined })), REST);
  };
  const open = () => {
    const found = said();
    if (found) write(model, found.traits);
    return { ...(found && { pick: found.pick, at: found.at }), told: remember };
  };
  const follow = (again) => {
    const come = () => said() && again(open());
    touched = true;
    addEventListener("hashchange", come);
    return () => { clearTimeout(timer); removeEventListener("hashchange", come); };
  };
  return { open, next: () => ({ told: remember }), follow };
}
