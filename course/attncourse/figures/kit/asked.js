// The state of a figure in an address: `?scores=3,2,1&temperature=0.5`.

const numbersIn = (text) => text.split(",").map((one) => (one.trim() ? Number(one) : NaN));
const isPlace = (count) => (k) => Number.isInteger(k) && k >= 0 && k < count;

/** The value that a text stands for; undefined where the control cannot have it. */
function valueOf(text, { options, optional, low, high, each, count }, begun) {
  if (optional && !text) return null;
  if (options) return options.find((one) => `${one}` === text);
  if (typeof begun === "boolean") return { 0: false, 1: true }[text];
  const numbers = text ? numbersIn(text) : [];
  if (count) return numbers.every(isPlace(count)) ? numbers : undefined;
  const fit = numbers.length === (each ? begun.length : 1) && numbers.every((x) => x >= low && x <= high);
  return fit ? (each ? numbers : numbers[0]) : undefined;
}

function ruleOf({ options, low, high, each, count }, begun) {
  if (options) return `one of ${options.join("; ")}`;
  if (typeof begun === "boolean") return "0 or 1";
  if (count) return `whole numbers from 0 to ${count - 1}`;
  return `${each ? `${begun.length} numbers` : "a number"} from ${low} to ${high}`;
}

/** What an address asks of a figure: { state, refused }, the parts of the state that it
 *  can have, and a sentence on each that it cannot. begun is the state without it. */
export function asked(query, controls, begun) {
  const state = {}, refused = [];
  for (const [name, text] of query) {
    const control = controls.find((one) => one.name === name);
    const value = control && valueOf(text, control, begun[name]);
    if (value !== undefined) state[name] = value;
    else {
      const why = control ? `${name} must be ${ruleOf(control, begun[name])}` : `this figure has ${controls.map((one) => one.name).join(", ")}`;
      refused.push(`${name}=${text.slice(0, 40)} is ignored: ${why}.`);
    }
  }
  return { state, refused };
}

/** A state as it stands in an address. */
export function queryOf(state) {
  const written = (value) => [value].flat().map((one) => (typeof one === "boolean" ? Number(one) : one)).join(",");
  const parts = Object.entries(state).map(([name, value]) => [name, written(value)]);
  return `${new URLSearchParams(parts)}`.replaceAll("%2C", ",");
}
