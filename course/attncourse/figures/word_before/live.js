// Beside lesson 7: the word before is to get all the attention.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { compute, draw } from "../kit/tabled.js";

export { compute };
export const goal = ({ weights: [before] }) => before >= 0.995;

export default live({ compute, draw, task: challenge(goal) });
