"""Leave out of matplotlib's SVG what draws nothing: every page carries its pictures."""

import re

USED = re.compile(r'(?:url\(#|href="#)([\w.-]+)')
COMMENT = re.compile(r"<!--.*?-->", flags=re.DOTALL)
NAME = re.compile(r' id="([^"]*)"')
PATH = re.compile(r'(?<=\sd=")[^"]+')
PLACE = re.compile(r'(?<=\s)(?:x|y|width|height|transform)="[^"]+"')
UNTURNED = re.compile(r' transform="rotate\(-?0(?:\.0*)? [^)]*\)"')
FONTS = re.compile(r"(font-family: '[^']+'), [^;\"]*(?=, sans-serif)")
FINE = re.compile(r"-?\d+\.\d{3,}(?!\d*e)")
RECTANGLE = re.compile(r"M(\S+) (\S+)L(\S+) \2L\3 (\S+)L\1 \4(?:L\1 \2)?z")
BARE_GROUP = re.compile(r"<g>((?:<(?!/?g\b)[^>]*>|[^<])*)</g>")


def slim(svg):
    """Return the same picture with fewer characters.

    Comments, names that nothing refers to, groups that say nothing and hold no other,
    turns by no angle, all fonts but the first and the last, and white space between
    elements and in paths are left out, and places are rounded to a hundredth of a
    point. A rectangle is said by a corner and its sides. Text is kept.
    """
    used = set(USED.findall(svg))
    svg = COMMENT.sub("", svg)
    svg = NAME.sub(lambda one: one[0] if one[1] in used else "", svg)
    svg = PATH.sub(lambda path: _closed_up(path[0]), svg)
    svg = FONTS.sub(r"\1", UNTURNED.sub("", svg))
    svg = PLACE.sub(lambda place: _rounded(place[0]), svg)
    svg = re.sub(r">\s+<", "><", svg)
    while (fewer := BARE_GROUP.sub(r"\1", svg)) != svg:
        svg = fewer
    return svg


def _closed_up(path):
    """Return the data of a path without white space around its commands."""
    path = re.sub(r"\s*([A-Za-z])\s*", r"\1", _rounded(" ".join(path.split())))
    return RECTANGLE.sub(_by_sides, path)


def _by_sides(found):
    x, y, right, low = map(float, found.groups())
    return f"M{x:.7g} {y:.7g}h{right - x:.7g}v{low - y:.7g}h{x - right:.7g}z"


def _rounded(text):
    """Return a text with no number finer than a hundredth of a point."""
    return FINE.sub(lambda number: f"{round(float(number[0]), 2) + 0:.9g}", text)
