// A figure of few states, without a challenge: all its numbers come along.
import { live } from "./declared.js";
import { drawLookedUp, lookedUp } from "./tabled.js";

export const compute = lookedUp;

export default live({ compute, draw: drawLookedUp });
