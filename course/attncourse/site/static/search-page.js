// Runs after searchtools.js, and before there is an index to search in.

// A page in a folder may not read other pages, so search there shows no excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// Each formula stands in a page three times; an excerpt has it once, and without TeX.
const textOf = Search.htmlToText;
Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelectorAll(".katex-html, .nk-tex").forEach((one) => one.remove());
  return textOf(page.documentElement.outerHTML, anchor);
};

// A search for "it" and nothing else finds this stop word, which search.py keeps in the
// index. Its excerpt has the word, and not two letters of another one.
const parseQuery = Search._parseQuery, summaryOf = Search.makeSearchSummary;
Search._parseQuery = (query) => {
  const parsed = parseQuery(query);
  if (query.trim().toLowerCase() === "it") parsed[1].add("it");
  return parsed;
};
Search.makeSearchSummary = (html, words, anchor) =>
  summaryOf(html, [...words].map((one) => (one === "it" ? " it " : one)), anchor);
