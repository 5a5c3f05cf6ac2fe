// What the machine shows, in the page's address, so that it can be sent: on the page of its
// own alone.
import { write } from "../kit/drag.js";
import { namesOf, sizesOf } from "./notation.js";

/** The part of an address after "#". */
export function toHash({ stage, choice, pick, masked, at, edits }) {
  const said = { stage, ...(choice && { choice }), ...(pick && { pick }), ...(masked !== undefined && { masked: Number(masked) }) };
  if (at) said.at = at.join(".");
  if (edits.length) said.edits = edits.map((one) => one.join(".")).join("~");
  return `#${new URLSearchParams(said)}`;
}

const EDIT = /^([01])\.(X|R|E|P|WQ|WK|WV|WO)\.(\d{1,2})\.(\d{1,2})\.(-?\d(?:\.\d+)?)$/;
const AT = /^([A-Z]{1,2})\.(\d{1,2})\.(\d{1,2})$/;

/** What an address says, also after "?", or null if it names no stage. What makes no sense
 *  is left out: isCell(base, row, column, block) says whether there is such a cell. */
function fromAddress(text, stages, isCell) {
  const said = new URLSearchParams(text.replace(/^[#?]/, "")), stage = Number(said.get("stage"));
  if (!stages.includes(stage)) return null;
  const edits = (said.get("edits") ?? "").split("~").map((one) => EDIT.exec(one)).filter(Boolean)
    .map(([, block, base, i, j, v]) => [Number(block), base, Number(i), Number(j), Number(v)])
    .filter(([block, base, i, j]) => isCell(stage, base, i, j, block));
  const [, base, i, j] = AT.exec(said.get("at") ?? "") ?? [], whole = (name) => (said.get(name) === "1" ? 1 : 0);
  const at = base && isCell(stage, base, Number(i), Number(j), 0) ? [base, Number(i), Number(j)] : null;
  return { stage, choice: whole("choice"), pick: whole("pick"), at, edits,
    masked: said.has("masked") ? Boolean(whole("masked")) : undefined };
}

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
    return { ...(found && { pick: found.pick, at: found.at }), told: remember, find };
  };
  const follow = (again) => {
    const come = () => said() && again(open());
    touched = true;
    addEventListener("hashchange", come);
    return () => { clearTimeout(timer); removeEventListener("hashchange", come); };
  };
  /** A place in the text, as an address has it: { choice, pick, at } of this lesson, or null. */
  const find = (text) => {
    const found = fromAddress(`stage=${model.get("stage")}&${text}`, stages, isCell);
    return found?.at && found;
  };
  return { open, next: () => ({ told: remember, find }), follow };
}
