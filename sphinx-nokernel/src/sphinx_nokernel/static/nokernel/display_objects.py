"""The parts of `IPython.display` that a page can show; the rest raise an error."""

import base64
import json
from html import escape
from pathlib import Path
from typing import Any

# Names that notebooks import from there and a page cannot support.
MISSING = ("Javascript", "FileLink", "FileLinks", "ProgressBar", "display_javascript")


class Shown:
    """Data given directly, by file name or, where a browser can load it, by address."""

    binary = False

    def __init__(self, data=None, url=None, filename=None, **options):
        self.url: Any = url
        self.options = options
        if isinstance(data, str) and self.binary and not data.startswith("data:"):
            data, filename = None, data
        if isinstance(filename, str) and filename.startswith(("http:", "https:")):
            filename, self.url = None, filename
        if filename is not None:
            path = Path(filename)
            data = path.read_bytes() if self.binary else path.read_text("utf-8")
        self.data: Any = data

    def __str__(self):
        return str(self.data)

    def source(self, kind):
        """Return the address of the data, or a data URL."""
        if self.url or isinstance(self.data, str):
            return self.url or self.data
        return f"data:{kind};base64,{base64.b64encode(self.data).decode()}"

    def attributes(self, *names):
        """Return those of the named options that were given, as HTML attributes."""
        given = {name: self.options.get(name) for name in names}
        return "".join(
            f' {name}="{escape(str(value))}"' for name, value in given.items() if value
        )


class HTML(Shown):
    """Text to be shown as HTML."""

    def _repr_html_(self):
        return str(self.data)


class SVG(HTML):
    """A drawing."""


class Markdown(Shown):
    """Text in Markdown, which a page shows unformatted."""

    def _repr_markdown_(self):
        return self.data


class Latex(Shown):
    """Text with formulas."""

    def _repr_latex_(self):
        return self.data


class Math(Latex):
    """One formula."""

    def _repr_latex_(self):
        return f"$\\displaystyle {self.data.strip('$')}$"


class Pretty(Shown):
    """Text to be shown as it is."""

    def __repr__(self):
        return self.data


class Code(Pretty):
    """Code, in one color."""


class JSON(Pretty):
    """Data, shown as indented JSON."""

    def __repr__(self):
        return json.dumps(self.data, indent=2)


class Image(Shown):
    """A picture."""

    binary = True

    def _repr_html_(self):
        kind = "jpeg" if str(self.options.get("format")) in ("jpg", "jpeg") else "png"
        alt = escape(str(self.options.get("alt") or "A picture"))
        size = self.attributes("width", "height")
        return f'<img src="{self.source(f"image/{kind}")}" alt="{alt}"{size}>'


class Video(Shown):
    """A video."""

    binary = True

    def _repr_html_(self):
        size = self.attributes("width", "height")
        return f'<video src="{self.source("video/mp4")}" controls{size}></video>'


class IFrame(Shown):
    """Another page."""

    def __init__(self, src, width=None, height=None, **options):
        super().__init__(url=src, width=width, height=height, **options)

    def _repr_html_(self):
        url, size = escape(self.url), self.attributes("width", "height")
        return f'<iframe src="{url}" title="{url}"{size}></iframe>'


def contents(display, clear):
    """Return the module's names, including those that only raise an error."""
    works = (HTML, SVG, Markdown, Latex, Math, Pretty, Code, JSON, Image, Video, IFrame)
    names = {one.__name__: one for one in works}
    names |= {name: _unable(name) for name in (*MISSING, "Audio", "YouTubeVideo")}
    for one in (HTML, SVG, Markdown, Latex, Pretty, JSON):
        names[f"display_{one.__name__.lower()}"] = _shower(one, display)
    return names | {
        "display": display,
        "update_display": display,
        "clear_output": clear,
    }


def _shower(kind, display):
    return lambda *data, raw=False, **_: display(*map(kind, data))


def _unable(name):
    def unable(*_, **__):
        raise NotImplementedError(f"IPython.display.{name} does not work in a page")

    return unable
