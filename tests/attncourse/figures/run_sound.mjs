// Presses the switch of a figure's sound, moves it, and presses again; prints what a stub of
// WebAudio was asked to do. Standard input holds { sound, states }.
import { makeSound } from "../../../course/attncourse/figures/kit/sound.js";

let input = "";
for await (const piece of process.stdin) input += piece;
const { sound, states } = JSON.parse(input), done = [];
const timed = (name) => ({ set value(x) { done.push([name, x]); }, setValueAtTime: (x, at) => done.push([name, x, at]), linearRampToValueAtTime: (x, at) => done.push([name, x, at]) });
const node = (name, part) => ({ [part]: timed(part), connect: (to) => to, disconnect: () => done.push(["off"]),
  start: (at) => done.push(["start", at]), stop: (at) => done.push(["stop", at]) });
let opened = 0;
const open = () => {
  opened += 1;
  return { currentTime: 0, destination: {}, createOscillator: () => node("tone", "frequency"),
    createGain: () => node("loud", "gain"), createStereoPanner: () => node("side", "pan") };
};
globalThis.document = { createElement: () => ({ attributes: {}, append: () => {},
  setAttribute(name, value) { this.attributes[name] = `${value}`; },
  addEventListener(_, hear) { this.press = hear; } }) };
globalThis.setTimeout = (hear) => { hear(); };
globalThis.clearTimeout = () => {};
const { node: button, hear } = makeSound(sound, open), taken = [];
const take = () => taken.push({ done: done.splice(0), opened, pressed: button.attributes["aria-pressed"] });
hear(states[0]);
take();
button.press();
take();
hear(states[1]);
take();
button.press();
hear(states[0]);
take();
process.stdout.write(JSON.stringify(taken));
