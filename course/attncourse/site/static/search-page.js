// Runs after searchtools.js, and before there is an index to search in.

// A page in a folder may not read other pages, so search there shows no excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// Each formula stands in a page three times; an excerpt has it once, and without TeX.
const pageOf = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelectorAll(".katex-html, .nk-tex").forEach((one) => one.remove());
  return page;
};
const textOf = Search.htmlToText;
Search.htmlToText = (html, anchor) => textOf(pageOf(html).documentElement.outerHTML, anchor);

// Of a place in a page an excerpt has what a definition says; or a paragraph, the first
// with all words that are searched for, from there on, or the first of all.
const saidAt = (page, anchor, words) => {
  const term = page.querySelector(`dt${anchor}`);
  const card = page.querySelector(`details${anchor}`)?.closest("section");
  const place = card ? `#${card.id}` : anchor; // a fold is told by the card's question
  const blocks = term ? `${anchor} ~ dd` : `${place} > p:not(.aw-to-facts), ${place} .nk-covered > p`;
  const texts = [...page.querySelectorAll(blocks)].map((one) => one.textContent);
  const has = (text) => (word) => text.toLowerCase().includes(word);
  const found = !term && texts.find((text) => words.every(has(text)));
  if (!found) return texts[0];
  const sentences = found.split(/(?<=[.?!]) /);
  return sentences.slice(sentences.findIndex((one) => words.some(has(one)))).join(" ");
};

// A search for "it" and nothing else finds this stop word, which search.py keeps in the
// index. Its excerpt has the word, and not two letters of another one. Single letters are
// not marked: they stand in every word.
const parseQuery = Search._parseQuery, summaryOf = Search.makeSearchSummary;
Search._parseQuery = (query) => {
  const parsed = parseQuery(query);
  if (query.trim().toLowerCase() === "it") parsed[1].add("it");
  const marked = parsed[3];
  for (const word of marked) if (word.length === 1) marked.delete(word);
  localStorage.setItem("sphinx_highlight_terms", [...marked].join(" "));
  return parsed;
};
Search.makeSearchSummary = (html, words, anchor) => {
  const said = anchor && saidAt(pageOf(html), anchor, [...words]);
  if (!said) return summaryOf(html, [...words].map((one) => (one === "it" ? " it " : one)), anchor);
  const textContent = said.length > 240 ? `${said.slice(0, 240)}…` : said;
  return Object.assign(document.createElement("p"), { className: "context", textContent });
};

// A hit with a place in its page is told by the name of the place, and once.
const hitsOf = Search._performSearch;
Search._performSearch = (query, ...how) => {
  const named = namesIn(query), others = hitsOf(query, ...how), names = placeNames();
  const hits = named.length ? [...named, ...others].sort((one, other) => one[4] - other[4]) : others;
  const best = new Map(); // a later hit is a better one
  for (const hit of hits) {
    const [page, , place, of] = hit, name = of === null && names.get(page + place);
    if (name) hit[1] = `${name} (${titleOf(page)})`;
    best.delete(page + place);
    best.set(page + place, hit);
  }
  return cardsFirst([...best.values()]);
};
// Of two hits that are equally good, the later is shown first: not the glossary's.
const isTerm = ([, , place]) => place.startsWith("#term-");
const cardsFirst = (hits) => {
  for (const [i, hit] of hits.entries()) {
    let at = i; // it goes before what is as good, and no term
    while (isTerm(hit) && at && hits[at - 1][4] === hit[4] && !isTerm(hits[at - 1])) at--;
    hits.splice(at, 0, ...hits.splice(i, 1));
  }
  return hits;
};
const titleOf = (page) => Search._index.titles[Search._index.docnames.indexOf(page)];

// Sections have titles. A term has its name as it is searched for, and in its id the
// letters as they are written. The id of a family has the name of one of its models, that
// of a fold in a card the part's.
const placeNames = () => {
  const { alltitles, indexentries, docnames } = Search._index, names = new Map();
  for (const [title, places] of Object.entries(alltitles))
    for (const [page, id] of places) if (id) names.set(`${docnames[page]}#${id}`, title);
  for (const [name, places] of Object.entries(indexentries))
    for (const [page, id] of places) if (id.startsWith("family-")) {
      const model = id.slice("family-".length).replaceAll("-", " ").replaceAll("_", ".");
      names.set(`${docnames[page]}#${id}`, model);
    } else if (id.startsWith("part-")) {
      names.set(`${docnames[page]}#${id}`, id.slice("part-".length).replaceAll("_", " "));
    } else if (id.startsWith("term-")) {
      const written = id.slice("term-".length);
      const letter = (one, i) => (written[i]?.toLowerCase() === one ? written[i] : one);
      names.set(`${docnames[page]}#${id}`, [...name].map(letter).join(""));
    }
  return names;
};

// The names of the field in a query, the longest first, lead where each leads alone. The
// words of a name may stand apart, and in another order. The other words say which of the
// places it is: one that other names lead to with such a word in them.
const namesIn = (query) => {
  const { indexentries, docnames, titles, filenames } = Search._index, found = [];
  let rest = query.toLowerCase().split(/[\s,;/+()]+/).filter(Boolean);
  const whole = rest.join(" ");
  const inside = (name) => name.split(" ").every((word) => rest.includes(word));
  if (whole in indexentries) return found;
  const all = Object.keys(indexentries);
  if (!all.some(inside)) rest = rest.flatMap((word) => word.split("-"));
  const words = rest, score = (told) => Math.round((100 * [...told].join(" ").length) / whole.length);
  for (const name of all.filter(inside).sort((one, other) => other.length - one.length)) {
    if (!inside(name)) continue;
    rest = rest.filter((word) => !name.split(" ").includes(word));
    for (const [page, id] of indexentries[name]) {
      const hit = [docnames[page], titles[page], id && `#${id}`, null, 0, filenames[page]];
      found.push(Object.assign(hit, { told: new Set(name.split(" ")) }));
    }
  }
  for (const word of words) for (const name of all.filter((one) => one.split(" ").includes(word)))
    for (const [page, id] of indexentries[name])
      for (const hit of found.filter(([at, , place]) => at === docnames[page] && place === (id && `#${id}`)))
        hit.told.add(word);
  for (const hit of found) hit[4] = score(hit.told);
  return found;
};
