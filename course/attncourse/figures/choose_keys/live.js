// Choosing keys: what each way looks at, and what it costs.
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";

const LEFT = 66, LONG = 220, ROW = 34, WIDTH = LEFT + LONG + 60, MOST = 1.25;

/** Every number of the figure, from how many tokens there are. */
export function compute({ tokens }, { names, ways, sizes: [attends, ranks, window] }) {
  const ranked = ways.map(([every]) => (every ? Math.floor(tokens / every) : 0));
  const read = ways.map(([, fold, most]) => {
    const rows = Math.floor(tokens / fold);
    return (most ? Math.min(rows, most) : rows) + (fold > 1 ? Math.min(tokens, window) : 0);
  });
  const all = tokens * attends, ofIndex = ranked.map((n) => (n * ranks) / all);
  const shares = read.map((n, i) => ofIndex[i] + (n * attends) / all);
  const dearer = names.filter((_, i) => shares[i] > 1);
  return { ranked, read, of_index: ofIndex, shares, dearer,
    best: names[shares.indexOf(Math.min(...shares))], case: dearer.length ? "dearer" : "cheaper" };
}

/** A bar for each way: the index, then attention; a line where all keys end. */
function makeBars(names) {
  const svg = surface(WIDTH, names.length * ROW + 8, "aw-ways"), across = (share) => (LONG * share) / MOST;
  const rows = names.map((name, i) => {
    const y = i * ROW + 8, box = { y, height: ROW - 12 }, text = { y: y + 15 };
    const index = svgNode("rect", { ...box, x: LEFT, class: "aw-ranks" }), mixes = svgNode("rect", { ...box, class: "aw-bar" });
    const share = svgNode("text", text);
    svg.append(svgNode("text", { ...text, x: 0 }, name), index, mixes, share);
    return { index, mixes, share };
  });
  const at = LEFT + across(1);
  svg.append(svgNode("path", { class: "aw-axis", d: `M${at} 0V${names.length * ROW}` }));
  return { svg, set: ({ of_index: ofIndex, shares }) => rows.forEach(({ index, mixes, share }, i) => {
    update(index, { width: across(ofIndex[i]) });
    update(mixes, { x: LEFT + across(ofIndex[i]), width: across(shares[i] - ofIndex[i]) });
    update(share, { x: LEFT + across(shares[i]) + 6 });
    share.textContent = fixed(shares[i], 3);
  }) };
}

function draw({ el, data: { names }, tables: [table] }) {
  const bars = makeBars(names), note = htmlNode("p", { className: "aw-hint" });
  el.append(bars.svg, table.node, note);
  return (now, _, { summary }) => {
    bars.set(now);
    note.textContent = summary;
  };
}

export default live({ compute, draw });
