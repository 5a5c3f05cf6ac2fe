"""Read and write all pages whenever one has changed.

Pages show each other's titles, terms and stages, and Sphinx's search index loses the
glossary's entries when it is updated (it saves its environment before it collects
them). What is executed comes from the cache all the same: this takes seconds.
"""


def _all_pages(app, env, added, changed, removed):
    return env.found_docs if added or changed or removed else ()


def setup(app):
    """Connect with Sphinx."""
    app.connect("env-get-outdated", _all_pages)
