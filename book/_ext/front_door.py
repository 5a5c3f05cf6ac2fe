"""The pages around the book: the one at the root of the site, and the one for no page.

sphinx-external-toc would write a bare redirect to the first page of the book. Ours has
a language, a title and a link, for readers whose browser does not follow it by itself.

A static host shows 404.html, from the root of the site, for an address that it does not
have, however deep that is. So its links start at the site's own address, where that is
known (see `head`), and else at the root of the host.
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
NO_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="{home}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="This page is not, or no longer, part of the course.">
<meta name="robots" content="noindex">
<link rel="icon" href="_static/favicon.svg">
<title>No such page – {title}</title>
<style>
:root {{ color-scheme: light dark; --link: #6d3190; background: #fff; color: #1f2328; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --link: #d3a4f0; background: #131217; color: #e6e1ec; }}
}}
body {{ margin: 15vh auto 0; max-width: 34em; padding: 0 1.5rem;
  font: 1.06rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }}
h1 {{ font-size: 2.1rem; line-height: 1.25; }}
li {{ margin: 0.25rem 0; }}
a {{ color: var(--link); }}
</style>
</head>
<body><main>
<h1>There is no page here</h1>
<p>The address may be mistyped, or the page has a new name. From here you can</p>
<ul>
<li>go to <a href="{first}">the beginning of {title}</a>;</li>
<li><a href="search.html">search for what you were after</a>;</li>
<li>or see <a href="book/start.html">where to start with what you know</a>.</li>
</ul>
</main></body>
</html>
"""


def _write(app, exception):
    if exception or app.builder.format != "html":
        return
    title, first = escape(app.config.html_title), f"{app.config.root_doc}.html"
    home = escape(f"{(app.config.html_baseurl or '').rstrip('/')}/", quote=True)
    pages = {
        "index.html": PAGE.format(title=title, url=first),
        "404.html": NO_PAGE.format(title=title, first=first, home=home),
    }
    for name, text in pages.items():
        Path(app.outdir, name).write_text(text, encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", _write, priority=400)  # before the bare redirect
    return {"parallel_read_safe": True, "parallel_write_safe": True}
