"""Draw book/assets/card.svg: the weights of the course's worked example.

Run it to write the file; a test holds that the file is up to date.
"""

from pathlib import Path

from attncourse.story import examples

CARD = Path(__file__).resolve().parent.parent / "book" / "assets" / "card.svg"
CELL, LEFT, TOP = 96, 150, 64
WEIGHTS, QUERY, KEY = "#7b3aa0", "#0067a8", "#b34a00"


def cell(i, j, weight, largest):
    """Return one square: as dark as its weight, with the number in it."""
    x, y = LEFT + j * CELL, TOP + i * CELL
    shade = weight / largest
    ink = "#ffffff" if shade > 0.5 else "#1f2328"
    return (
        f'<rect x="{x}" y="{y}" width="{CELL - 6}" height="{CELL - 6}" rx="8" '
        f'fill="{WEIGHTS}" fill-opacity="{shade:.3f}"/>'
        f'<text x="{x + CELL / 2 - 3}" y="{y + CELL / 2 + 4}" fill="{ink}" '
        f'text-anchor="middle">{weight:.3f}</text>'
    )


def card():
    """Return the picture as SVG."""
    x, layer = examples.three_words()
    weights = layer.trace(x).weights
    rows, columns = weights.shape
    squares = [
        cell(i, j, weights[i, j], weights.max())
        for i in range(rows)
        for j in range(columns)
    ]
    middle = CELL / 2 - 3
    queries = [
        f'<text x="{LEFT - 14}" y="{TOP + i * CELL + middle + 7}" fill="{QUERY}" '
        f'text-anchor="end">word {i + 1} asks</text>'
        for i in range(rows)
    ]
    keys = [
        f'<text x="{LEFT + j * CELL + middle}" y="{TOP - 14}" fill="{KEY}" '
        f'text-anchor="middle">word {j + 1}</text>'
        for j in range(columns)
    ]
    size = f"0 0 {LEFT + columns * CELL + 20} {TOP + rows * CELL + 14}"
    font = 'font-family="system-ui, sans-serif" font-size="19"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {font}>',
            '<rect width="100%" height="100%" rx="12" fill="#ffffff"/>',
            *keys,
            *queries,
            *squares,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    CARD.write_text(card(), encoding="utf-8")
