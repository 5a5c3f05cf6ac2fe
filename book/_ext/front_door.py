"""The page at the root of the site: it leads to the first page of the book.

sphinx-external-toc would write a bare redirect. This one has a language, a title and a
link, for readers whose browser does not follow it by itself.
"""

from html import escape
from pathlib import Path

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={url}">
<title>{title}</title>
</head>
<body><main><h1>{title}</h1><p><a href="{url}">Begin</a></p></main></body>
</html>
"""


def _write(app, exception):
    if exception is None and app.builder.format == "html":
        title = escape(app.config.html_title)
        page = PAGE.format(title=title, url=f"{app.config.root_doc}.html")
        Path(app.outdir, "index.html").write_text(page, encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", _write, priority=400)  # before the bare redirect
    return {"parallel_read_safe": True, "parallel_write_safe": True}
