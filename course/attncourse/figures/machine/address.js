// What the machine shows, in the page's address, so that it can be sent.

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
export function fromAddress(text, stages, isCell) {
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
