"""With `nokernel_code_switch`, one switch shows all code that a page hides.

Without it, myst-nb puts a line of its own in place of each cell that is tagged
`hide-input` or `hide-cell`. A fold that has a name of its own, from `code_prompt_show`
in the metadata of its cell, and one of an output (`hide-output`) stay where they are:
a reader is meant to open them. Without JavaScript all lines stay, and on paper all code
is shown.
"""

from docutils import nodes

from .read_cells import code_cells

HIDDEN = "nk-hidden-code"
MODES = ("all", "input", "input+output")
# The script writes the button: no other reader of the page hears of it.
SWITCH = '<p class="nk-code-switch" data-cells="{}"></p>\n'


def mark_hidden_code(app, document):
    """Mark the cells whose code is hidden, and put the switch below the title."""
    title = next(document.findall(nodes.title), None)
    if not app.config.nokernel_code_switch or title is None:
        return
    cells = [cell for cell in code_cells(document) if _is_hidden(app, cell)]
    for cell in cells:
        cell["classes"].append(HIDDEN)
    if cells:
        switch = nodes.raw("", SWITCH.format(len(cells)), format="html")
        title.parent.insert(title.parent.index(title) + 1, switch)


def _is_hidden(app, cell):
    named = cell.get("prompt_show") != app.config.nb_code_prompt_show
    return cell.get("hide_mode") in MODES and not named


def load_hidden_code(app, page):
    """Add the script and the style to pages with the switch."""
    if HIDDEN in page.body:
        app.add_css_file("nokernel/hidden-code.css")
        app.add_js_file("nokernel/hidden-code.js", loading_method="defer")
