// The layers of a model, one tile each in reading order, and what one of them is.
import { htmlNode } from "../kit/draw.js";
import { numbersKept } from "./costs.js";

const NAMES = {
  full_attention: ["full attention", "full"],
  sliding_attention: ["attention with a window", "window"],
  chunked_attention: ["attention in chunks", "window"],
  latent_attention: ["latent attention", "latent"],
  linear_attention: ["a state, no keys", "state"],
  conv: ["a short convolution", "state"],
  hybrid: ["attention beside a state", "state"],
  network: ["a network alone", "network"],
};

/** What kind of layer it is, in words. */
export const kindOf = ({ kind }) => NAMES[kind][0];

/** Heads, sizes and what else a layer has, in words. */
export function tellLayer(layer) {
  const { heads, kv_heads: shared, window } = layer;
  const told = [];
  if (layer.latent) told.push(`${heads} heads, one latent row of ${layer.latent} numbers`);
  else if (heads) {
    const groups = shared === heads ? "" : shared === 1 ? ", all sharing one head of keys" : `, ${heads / shared} to each of ${shared} heads of keys`;
    told.push(`${heads} heads of ${layer.d_k}${groups}`);
  }
  if (window) told.push(`sees ${window.toLocaleString("en")} tokens`);
  const state = layer.kept.reduce((sum, kept) => sum + (kept.rows ? 0 : kept.row), 0);
  if (state) told.push(`a state of ${state.toLocaleString("en")} numbers`);
  return [...told, ...layer.facts].join(" · ");
}

/** A link to a card; where there is no page to go to, as in a notebook, its name. */
export function cardLink([name, address]) {
  const there = location.pathname.endsWith(".html");
  return there ? htmlNode("a", { textContent: name, href: address }) : htmlNode("span", { textContent: name });
}

/** Tiles in a row that wraps; tap one and it is told. */
export function makeTower() {
  const tiles = htmlNode("div", { className: "aw-tiles" });
  const legend = htmlNode("p", { className: "aw-caption aw-kinds" });
  const says = htmlNode("p", { className: "aw-layer" });
  const cards = htmlNode("p", { className: "aw-cards" });
  const more = htmlNode("pre", { className: "aw-call" });
  const parts = htmlNode("ul", { className: "aw-parts" });
  const folded = htmlNode("details", {}, htmlNode("summary", { textContent: "What it learns" }), parts);
  says.setAttribute("role", "status");
  tiles.setAttribute("role", "group");
  tiles.setAttribute("aria-label", "The layers; each is a button");
  let chosen = 0, described = null, tokens = 0;
  const tell = () => {
    const layer = described.kinds[described.order[chosen]];
    [...tiles.children].forEach((tile, i) => tile.setAttribute("aria-pressed", i === chosen));
    says.textContent = `Layer ${chosen + 1}, ${kindOf(layer)}: ${tellLayer(layer)}.`;
    cards.replaceChildren("Cards: ", ...layer.cards.flatMap((card, i) => [i ? " · " : "", cardLink(card)]));
    cards.hidden = !layer.cards.length;
    more.textContent = layer.call.join("\n");
    more.hidden = !layer.call.length;
    parts.replaceChildren(...layer.parts.map((part) => htmlNode("li", { textContent: part })));
  };
  const fill = (tile, layer) => {
    const most = Math.max(...described.kinds.map((each) => numbersKept(each, tokens)));
    const share = numbersKept(layer, tokens) / most || 0;
    tile.style.setProperty("--kept", `${Math.max(4, 100 * share).toFixed(1)}%`);
  };
  const set = (next, now) => {
    const fresh = next !== described;
    [described, tokens] = [next, now];
    for (const node of [tiles, legend, says, cards, more, folded]) node.hidden = !next.order.length;
    if (!next.order.length) return;
    if (fresh) {
      chosen = 0;
      tiles.replaceChildren(...next.order.map((kind, i) => {
        const layer = next.kinds[kind];
        const tile = htmlNode("button", { type: "button", className: `aw-tile aw-is-${NAMES[layer.kind][1]}` });
        tile.setAttribute("aria-label", `Layer ${i + 1}: ${kindOf(layer)}`);
        tile.classList.toggle("aw-has-experts", layer.facts.some((fact) => fact.includes("experts")));
        tile.onclick = () => { chosen = i; tell(); };
        return tile;
      }));
      const kinds = [...new Set(next.order.map((i) => next.kinds[i].kind))];
      legend.replaceChildren(...kinds.map((kind) => {
        const n = next.order.filter((i) => next.kinds[i].kind === kind).length;
        return htmlNode("span", { className: `aw-is-${NAMES[kind][1]}`, textContent: `${n} × ${NAMES[kind][0]}` });
      }));
      tell();
    }
    [...tiles.children].forEach((tile, i) => fill(tile, next.kinds[next.order[i]]));
  };
  return { nodes: [tiles, legend, says, cards, more, folded], set };
}
