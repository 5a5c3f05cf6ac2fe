"""The machine's poster, drawn at each build into `_static`: PDF and SVG, one page.

Only a book that has the page `attncourse_machine` gets one: that page links to it.
"""

from pathlib import Path


def _draw(app, error):
    machine = app.config.attncourse_machine
    if error or app.builder.name != "html" or machine not in app.env.found_docs:
        return
    from ..figures.machine import poster  # matplotlib: half a second

    poster.save(Path(app.outdir, "_static"))


def setup(app):
    """Connect with Sphinx, before sphinx_nokernel packs the site."""
    app.connect("build-finished", _draw, priority=500)
