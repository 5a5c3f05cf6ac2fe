"""Outputs of a cell, printed and shown, in forms that a page can show."""

import base64
import io
import pprint
import sys
import time
from typing import Any

EVERY = 0.05  # least seconds between two pieces of one stream
MOST = 100_000  # characters that a cell may print
WIDTH = 79  # characters; a notebook breaks longer lists, too


class Printer:
    """Collects what a cell prints, and passes it on in pieces, up to a limit."""

    def __init__(self, emit):
        self.emit, self.kind, self.held = emit, None, []
        self.length, self.last = 0, time.monotonic()

    def take(self, kind, text):
        """Hold a piece of a stream until another stream writes, or time has passed."""
        if kind != self.kind:
            self.flush()
        room, self.kind = MOST - self.length, kind
        self.length += len(text)
        if room > 0:
            cut = "\n… more than a page can show\n" if len(text) > room else ""
            self.held.append(text[:room] + cut)
        if time.monotonic() - self.last > EVERY:
            self.flush()

    def flush(self):
        """Pass on what is held."""
        self.last = time.monotonic()
        if self.held:
            self.emit(self.kind, "".join(self.held))
            self.held = []


class Stream(io.TextIOBase):
    """Standard output or error, as a cell sees it."""

    def __init__(self, kind, printer):
        self.kind, self.printer = kind, printer

    def write(self, text):
        """Pass text to the printer; return its length."""
        self.printer.take(self.kind, text)
        return len(text)

    def flush(self):
        """Pass on what was printed."""
        self.printer.flush()


# The forms that a page can show, best first: MIME type, method, the page's name for it.
FORMS = (
    ("text/html", "_repr_html_", "html"),
    ("image/svg+xml", "_repr_svg_", "html"),
    ("image/png", "_repr_png_", "png"),
    ("image/jpeg", "_repr_jpeg_", "jpeg"),
    ("text/latex", "_repr_latex_", "latex"),
    ("text/markdown", "_repr_markdown_", "text"),
)


def richest(forms):
    """Return the kind and text of the richest of a value's forms."""
    for mime, _, kind in FORMS:
        if mime in forms:
            return kind, _text(forms[mime])
    unknown = f"<no form that a page can show: {', '.join(forms)}>"
    return "text", forms.get("text/plain", unknown)


def rich(value):
    """Return the richest form of a value, as its kind and text.

    HTML is trusted, as in a notebook: it comes from code that the reader ran.
    """
    figure = sys.modules.get("matplotlib.figure")
    if figure and isinstance(value, figure.Figure):
        out = io.BytesIO()
        value.savefig(out, format="png", dpi=100, bbox_inches="tight")
        return "png", _text(out.getvalue())
    if forms := {} if isinstance(value, type) else _forms(value):
        return richest(forms)
    return "text", plain(value)


def _forms(value):
    """Return the forms that a value offers, as far as a page can show them."""
    every = {"include": None, "exclude": None}
    if (bundle := _called(value, "_repr_mimebundle_", **every)) is not None:
        forms = bundle[0] if isinstance(bundle, tuple) else bundle
        return {mime: forms[mime] for mime, *_ in FORMS if mime in forms}
    for mime, method, _ in FORMS:
        if (form := _called(value, method)) is not None:
            return {mime: form[0] if isinstance(form, tuple) else form}
    return {}


def _called(value, method, **options) -> Any:
    found = getattr(value, method, None)
    return found(**options) if callable(found) else None


def _text(form):
    return base64.b64encode(form).decode() if isinstance(form, bytes) else form


def plain(value):
    """Format a value as a notebook does: long containers with one item a line."""
    text = repr(value)
    containers = (list, tuple, dict, set, frozenset)
    if type(value) in containers and len(text) > WIDTH:
        return pprint.pformat(value, width=WIDTH, sort_dicts=False)
    return text
