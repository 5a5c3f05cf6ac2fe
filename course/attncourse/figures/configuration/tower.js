// The layers of a model, one tile each in reading order, and what one of them is.
import { ALONE } from "../kit/alone.js";
import { htmlNode } from "../kit/draw.js";
import { multiplied, numbersKept } from "./costs.js";

const SHADES = { full_attention: "full", sliding_attention: "window", chunked_attention: "window", latent_attention: "latent",
  linear_attention: "state", conv: "state", hybrid: "state", network: "network" };

/** A link to a card; where there is no page to go to, as in a notebook, its name. */
export function cardLink([name, address]) {
  const there = !ALONE && location.pathname.endsWith(".html");
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
    says.textContent = `Layer ${chosen + 1}, ${layer.name}: ${layer.told}.`;
    cards.replaceChildren("Cards: ", ...layer.cards.flatMap((card, i) => [i ? " · " : "", cardLink(card)]));
    cards.hidden = !layer.cards.length;
    more.textContent = layer.call.join("\n");
    more.hidden = !layer.call.length;
    parts.replaceChildren(...layer.parts.map((part) => htmlNode("li", { textContent: multiplied(part) })));
  };
  const fill = (tile, layer) => {
    const most = Math.max(...described.kinds.map((each) => numbersKept(each, tokens)));
    const share = numbersKept(layer, tokens) / most || 0;
    tile.style.setProperty("--kept", `${Math.max(4, 100 * share).toFixed(1)}%`);
  };
  const set = (next, now, mix) => {
    const fresh = next !== described;
    [described, tokens] = [next, now];
    for (const node of [tiles, legend, says, cards, more, folded]) node.hidden = !next.order.length;
    if (!next.order.length) return;
    if (fresh) {
      chosen = 0;
      tiles.replaceChildren(...next.order.map((kind, i) => {
        const layer = next.kinds[kind];
        const tile = htmlNode("button", { type: "button", className: `aw-tile aw-is-${SHADES[layer.kind]}` });
        tile.setAttribute("aria-label", `Layer ${i + 1}: ${layer.name}`);
        tile.classList.toggle("aw-has-experts", layer.experts);
        tile.onclick = () => { chosen = i; tell(); };
        return tile;
      }));
      legend.replaceChildren(...mix.map((textContent) => {
        const { kind } = next.kinds.find(({ name }) => textContent.endsWith(` × ${name}`));
        return htmlNode("span", { className: `aw-is-${SHADES[kind]}`, textContent });
      }));
      tell();
    }
    [...tiles.children].forEach((tile, i) => fill(tile, next.kinds[next.order[i]]));
  };
  return { nodes: [tiles, legend, says, cards, more, folded], set };
}
