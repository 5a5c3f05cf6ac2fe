// Whole numbers from a text that has a letter for each: see panel.py.

/** The number that each letter stands for. */
export const codesOf = (text) => Array.from(text, (one) => one.charCodeAt() - 35);
