"""Colors for readers of EPUB that know no CSS variables: those of the light theme."""

import re

LIGHT = {
    "query": "#0067a8",
    "key": "#b34a00",
    "value": "#00735a",
    "weights": "#7b3aa0",
    "muted": "#5f6773",
}
VARIABLE = re.compile(
    r"var\(--(?:aw-)?([a-z-]+)(?:,\s*([^()]*(?:\([^()]*\))?[^()]*))?\)"
)


def plain_colors(style):
    """Write the light theme's value in place of each CSS variable that has one."""
    return VARIABLE.sub(lambda one: LIGHT.get(one[1]) or one[2] or one[0], style)
