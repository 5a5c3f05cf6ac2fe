// A live figure from its declaration: its state, what it computes, draws and says.
import { snap, write } from "./drag.js";
import { redrawOn } from "./draw.js";
import { fillIn } from "./read.js";
import { makeTable, reader } from "./reader.js";
import { tellOf } from "./voice.js";

// The state of a figure in an address: `?scores=3,2,1&temperature=0.5`.

const numbersIn = (text) => text.split(",").map((one) => (one.trim() ? Number(one) : NaN));
const isPlace = (count) => (k) => Number.isInteger(k) && k >= 0 && k < count;

/** The value that a text stands for; undefined where the control cannot have it. */
function valueOf(text, { options, optional, low, high, each, count, pattern }, begun) {
  if (optional && !text) return null;
  if (pattern) return new RegExp(`^(?:${pattern})$`, "i").test(text) ? text : undefined;
  if (options) return options.find((one) => `${one ?? ""}` === text);
  if (typeof begun === "boolean") return { 0: false, 1: true }[text];
  const numbers = text ? numbersIn(text) : [];
  if (count) return numbers.every(isPlace(count)) ? numbers : undefined;
  const fit = numbers.length === (each ? begun.length : 1) && numbers.every((x) => x >= low && x <= high);
  return fit ? (each ? numbers : numbers[0]) : undefined;
}

function ruleOf({ options, low, high, each, count, rule }, begun) {
  if (rule) return rule;
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

/** The state, from the traits that hold it. */
export function stateOf(get, controls) {
  return Object.fromEntries(controls.map(({ name, traits, options, each }) => {
    const held = traits.map(get);
    return [name, options ? options[held[0]] ?? null : each ? held : held[0]];
  }));
}

/** The traits for a part of the state: numbers within bounds, on the nearest step. */
export function traitsOf(part, controls) {
  return Object.assign({}, ...controls.filter(({ name }) => name in part).map(({ name, traits, options, low, high, step }) => {
    const value = part[name];
    if (step) return Object.fromEntries([value].flat().map((x, i) => [traits[i], snap(x, low, high, step)]));
    return { [traits[0]]: options?.includes(value) ? options.indexOf(value) : value };
  }));
}

const toggled = (all, cell) => (all.includes(cell) ? all.filter((one) => one !== cell) : [...all, cell]);

/** Whether a state has these values. */
export const has = (state, part) => Object.keys(part).every((name) => `${state[name]}` === `${part[name]}`);

/** What anywidget takes. compute(state, data) gives the numbers, by the names that Python
 *  gives them; draw({ el, data, model, start, state, put, flip, tables, redraw }) draws into el and
 *  returns set(numbers, state, description, reached), which is called for each state; follow(state,
 *  before, start, data) may give what has to change with what was changed; sound is makeSound,
 *  where the declaration has one; numbers is setByNumbers, where what is pressed in the text sets
 *  the figure: its place is a part of an address; task is what challenge.js makes of a goal. */
export function live({ compute, draw, follow = () => ({}), sound, numbers: answer, task }) {
  const render = ({ model, el }) => {
    const spec = model.get("spec"), data = model.get("data"), { controls } = spec;
    const state = () => stateOf((trait) => model.get(trait), controls);
    const put = (part) => write(model, traitsOf(part, controls));
    const flip = (name, cell) => put({ [name]: toggled(state()[name], cell) });
    const tables = spec.tables.map((table) => (table.shown ? makeTable() : null));
    let was = null, told;
    const jump = (whole) => { was = null; put(whole); }; // nothing follows
    el.classList.add("aw-view", `aw-${spec.name}`);
    const begun = state(), start = { ...begun, ...compute(begun, data) };
    const set = draw({ el, data, model, start, state, put, flip, tables, redraw: () => redraw() });
    const pictures = [...el.querySelectorAll("[role=img]")], held = pictures.filter((one) => one.holds);
    const [picture, ...others] = pictures.filter((one) => !one.holds);
    for (const one of others) one.setAttribute("aria-hidden", "true");
    const read = reader(el, spec, flip), heard = sound?.(spec.sound);
    const judge = task?.({ el, spec, data, begun, start, state, jump });
    if (heard) el.append(heard.node);
    const redraw = () => {
      const at = state(), more = was ? follow(at, was, begun, data) : {};
      was = at;
      if (!has(at, more)) return put(more);
      const numbers = compute(at, data), scope = { ...data, ...at, ...numbers }, now = fillIn(spec, scope);
      tables.forEach((table, i) => table?.set(now.tables[i]));
      const { reached, said } = judge?.(numbers, at, now) ?? now;
      set(numbers, at, now, reached);
      for (const one of held) one.speak(now.title); // and where what it holds stands
      for (const one of [picture, ...held.map((svg) => svg.querySelector("[role=img]") ?? svg)]) {
        one?.setAttribute("aria-label", `${now.title}. ${now.summary}`);
      }
      tellOf(el, told = said);
      read(now);
      heard?.hear(scope);
      el.figure = { spec, state: at, numbers, query: queryOf(at) }; // for who embeds it, and tests
      el.dispatchEvent(new Event("aw:set"));
    };
    const hush = answer?.(el, (place) => asked(new URLSearchParams(place), controls, begun), jump, () => told);
    const stop = redrawOn(model, controls.flatMap(({ traits }) => traits), redraw);
    return () => { stop(); hush?.(); };
  };
  return { render };
}
