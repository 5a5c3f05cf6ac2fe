"""The parts of this course's site alone, on top of `sphinx_nokernel`.

Terms that explain themselves, links to claims, the strip that says where one is, lesson
numbers in the side bar, folds of reference, links into the machine, the list of known
mistakes, cards of parts, the real model for the page, figures on pages of their own,
icons, where *Next* leads, the version and a feed of changes, pages for programs, the
search for "it", the course's style and templates, and the settings that come from
environment variables.
Each is described at the top of its file.
"""

from importlib import import_module
from pathlib import Path

from .environment import read_settings

HERE = Path(__file__).parent
PARTS = (
    *("claims", "terms", "strip", "left_out", "machine_at", "previews", "addresses"),
    *("mistakes", "narrow", "arrays", "card", "families", "sidebar", "boxes"),
    *("held_back", "remember", "once_more", "releases", "embeds", "gallery"),
    *("for_programs", "files", "search", "environment", "icons", "few_letters"),
    *("next_page", "policy"),
)
STYLES = (
    "icons.css",
    "course.css",
    "strip.css",
    "claims.css",
    "terms.css",
    "present.css",
)


def _serve(app, config):
    """Serve the style and the scripts, and use the templates."""
    config.html_static_path.append(str(HERE / "static"))
    config.templates_path.append(str(HERE / "templates"))


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", read_settings, priority=300)
    app.connect("config-inited", _serve, priority=400)
    for part in PARTS:
        import_module(f"{__name__}.{part}").setup(app)
    for style in STYLES:
        app.add_css_file(style)
    app.add_css_file("print.css", media="print", priority=900)  # after all others
    for script in ("page.js", "present.js"):
        app.add_js_file(script, loading_method="defer")
    return {
        "version": "1",
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
