// Trains as lesson 11's page does, up to the fall. Reads { task, steps, half, kind, seeds }
// from standard input; prints for each seed [step, seconds]: the step of the fall, or null,
// and the processor time until then.
import { fallOf } from "../course/attncourse/figures/train_copying/training.js";
import {
  makeAdam, makeModel, trainStep, uniform, writeTexts,
} from "../course/attncourse/figures/train_copying/learning.js";

function fall(seed, { task, steps, half, kind }) {
  const random = uniform(seed), model = makeModel(random, { ...task, ...kind });
  const adam = makeAdam(model.params, task.rate), losses = [], start = process.cpuUsage();
  while (losses.length <= steps && fallOf(losses, half) < 0) {
    losses.push(trainStep(model, adam, writeTexts(random, task)).again);
  }
  const found = fallOf(losses, half), { user, system } = process.cpuUsage(start);
  return [found < 0 ? null : found, (user + system) / 1e6];
}

let input = "";
for await (const piece of process.stdin) input += piece;
const asked = JSON.parse(input);
process.stdout.write(JSON.stringify(asked.seeds.map((seed) => fall(seed, asked))));
