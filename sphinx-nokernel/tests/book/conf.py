"""A book like those of others, with everything that once broke in one."""

project = "Other people's pages"
extensions = ["myst_nb", "sphinx_nokernel"]
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"
html_theme = "basic"
suppress_warnings = ["myst-nb.lexer"]  # nothing is executed that would tell it


def setup(app):
    """Add data of a foreign kind, as other extensions do."""
    app.add_js_file(None, type="application/ld+json", body='{"@type": "Book"}')
    app.add_js_file("https://example.org/menu.json", type="application/json")
