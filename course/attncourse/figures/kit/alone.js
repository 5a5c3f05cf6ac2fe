// Whether a figure stands alone, on a page of its own: `script_of` says so. What it does for
// the page around it is not in its script then.
export const ALONE = false;
