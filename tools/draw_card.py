"""Draw book/assets/card.svg: the weights of the course's worked example.

Run it to write the file; a test holds that the file is up to date.
"""

from pathlib import Path

import numpy as np

from attncourse.story import examples

CARD = Path(__file__).resolve().parent.parent / "book" / "assets" / "card.svg"
CELL, LEFT, TOP = 96, 150, 64
WEIGHTS, QUERY, KEY = "#7b3aa0", "#0067a8", "#b34a00"


def text(x, y, fill, anchor, words):
    """Return words, in a color."""
    return f'<text x="{x}" y="{y}" fill="{fill}" text-anchor="{anchor}">{words}</text>'


def cell(i, j, weight, largest):
    """Return one square: as dark as its weight, with the number in it."""
    x, y = LEFT + j * CELL, TOP + i * CELL
    shade = weight / largest
    ink = "#ffffff" if shade > 0.5 else "#1f2328"
    number = text(x + CELL / 2 - 3, y + CELL / 2 + 4, ink, "middle", f"{weight:.3f}")
    return (
        f'<rect x="{x}" y="{y}" width="{CELL - 6}" height="{CELL - 6}" rx="8" '
        f'fill="{WEIGHTS}" fill-opacity="{shade:.3f}"/>{number}'
    )


def card():
    """Return the picture as SVG."""
    x, layer = examples.three_words()
    weights = layer.trace(x).weights
    rows, columns = weights.shape
    drawn = [
        text(LEFT + j * CELL + CELL / 2 - 3, TOP - 14, KEY, "middle", f"word {j + 1}")
        for j in range(columns)
    ]
    for i in range(rows):
        y = TOP + i * CELL + CELL / 2 + 4
        drawn.append(text(LEFT - 14, y, QUERY, "end", f"word {i + 1} asks"))
    largest = weights.max()
    drawn += [cell(i, j, weight, largest) for (i, j), weight in np.ndenumerate(weights)]
    size = f"0 0 {LEFT + columns * CELL + 20} {TOP + rows * CELL + 14}"
    font = 'font-family="system-ui, sans-serif" font-size="19"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {font}>',
            '<rect width="100%" height="100%" rx="12" fill="#ffffff"/>',
            *drawn,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    CARD.write_text(card(), encoding="utf-8")
