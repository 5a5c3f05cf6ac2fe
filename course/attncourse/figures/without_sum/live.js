// Lesson 8: the two arrows once more, where a choice says whether attention adds to the row.
import { compute, draw } from "../it_moves/live.js";
import { live } from "../kit/declared.js";

export { compute };

export default live({ compute, draw });
