// Lesson 8: the row of "it" as two arrows, one layer after another.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { drawWays, rowsAfter } from "./ways.js";

export const compute = rowsAfter;

export const goal = ({ rows }, { after }) => after === rows.length - 1;

export default live({ compute, draw: drawWays, task: challenge(goal) });
