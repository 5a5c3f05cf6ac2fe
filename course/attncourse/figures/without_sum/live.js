// Lesson 8: the two arrows once more, where a choice says whether attention adds to the row.
import { drawWays, rowsAfter } from "../it_moves/ways.js";
import { live } from "../kit/declared.js";

export const compute = rowsAfter;

export default live({ compute, draw: drawWays });
