"""The icons of the installed site, drawn from `favicon.svg`: phones want pixels.

That picture is made of rounded squares; each of them is drawn. Where a phone cuts
an icon to a circle, it may take a tenth off each edge and more off the corners: the
maskable one keeps clear of them.
"""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from PIL import Image, ImageDraw

FAVICON = Path(__file__).with_name("static") / "favicon.svg"
SIZES = {"icon-192.png": 192, "icon-512.png": 512, "icon-maskable-512.png": 512}
CLEAR = 0.75  # of its edge, what the drawing takes where the edge may go
FINER = 4  # drawn larger, then made smaller, so that round corners are smooth


def squares(svg: str) -> tuple[float, list[dict[str, Any]]]:
    """Return the picture's edge, and its squares: their places, colors, opacities."""
    root = ElementTree.fromstring(svg)
    edge = float(root.attrib["viewBox"].split()[2])
    parents = {child: parent for parent in root.iter() for child in parent}
    found = []
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        told = {**parents[rect].attrib, **rect.attrib}
        keys = ("x", "y", "width", "height", "rx", "opacity")
        numbers = {key: float(told.get(key, key == "opacity")) for key in keys}
        found.append({**numbers, "fill": told["fill"]})
    return edge, found


def draw(size: int, *, clear: float = 1.0) -> Image.Image:
    """Draw the icon, in so many pixels; with `clear`, smaller, on a full ground."""
    edge, rects = squares(FAVICON.read_text(encoding="utf-8"))
    pixels = size * FINER
    ground, *marks = rects
    image = Image.new("RGBA", (pixels, pixels), ground["fill"] if clear < 1 else None)
    if clear == 1:
        marks = rects
    shift, unit = pixels * (1 - clear) / 2, pixels * clear / edge
    for one in marks:
        layer = Image.new("RGBA", image.size)
        left, top = shift + one["x"] * unit, shift + one["y"] * unit
        box = (left, top, left + one["width"] * unit, top + one["height"] * unit)
        color = (*_rgb(one["fill"]), round(255 * one["opacity"]))
        ImageDraw.Draw(layer).rounded_rectangle(box, one["rx"] * unit, color)
        image = Image.alpha_composite(image, layer)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def _rgb(text: str) -> tuple[int, ...]:
    digits = re.sub("^#", "", text)
    if len(digits) == 3:
        digits = "".join(2 * one for one in digits)
    return tuple(bytes.fromhex(digits))


def write(app: Any, error: Exception | None) -> None:
    """Write them beside the favicon."""
    if error is None and app.builder.name == "html":
        for name, size in SIZES.items():
            clear = CLEAR if "maskable" in name else 1.0
            draw(size, clear=clear).save(Path(app.outdir, "_static", name))


def setup(app: Any) -> None:
    """Connect with Sphinx, before sphinx_nokernel lists the site's files."""
    app.connect("build-finished", write, priority=500)
