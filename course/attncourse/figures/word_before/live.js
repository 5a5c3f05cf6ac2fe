// Beside lesson 7: the word before is to get all the attention.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { drawLookedUp, lookedUp } from "../kit/tabled.js";

export const compute = lookedUp;
export const goal = ({ weights: [before] }) => before >= 0.995;

export default live({ compute, draw: drawLookedUp, task: challenge(goal) });
