"""Find the directives of a text, and their lines, with MyST's own parser."""

from dataclasses import dataclass, field
from functools import lru_cache

from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from myst_parser.parsers.options import TokenizeError, options_to_items

EXTENSIONS = (
    *("amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath", "tasklist"),
)
# Extensions that add no MyST syntax; linkify needs another package.
IGNORED = {"linkify", "replacements", "smartquotes"}
# Directives whose content is not MyST.
VERBATIM = {
    *("code", "code-block", "code-cell", "sourcecode", "math", "raw", "literalinclude"),
    *("eval-rst", "mermaid", "graphviz"),
}


@dataclass
class Block:
    """A directive, as written in a text.

    Attributes
    ----------
    name, argument : str
        On its first line.
    options : dict of str to str
    body : str
        Its content, without the options.
    first, last : int
        The lines of the text that it occupies: `lines[first:last]`.
    start : int
        The line of the text on which the body begins.
    """

    name: str
    argument: str = ""
    options: dict = field(default_factory=dict)
    body: str = ""
    first: int = 0
    last: int = 0
    start: int = 0


@lru_cache
def parser(extensions=EXTENSIONS):
    """Return MyST's Markdown parser with these syntax extensions."""
    config = MdParserConfig(enable_extensions=set(extensions) - IGNORED)
    md = create_md_parser(config, RendererHTML)
    if "attrs_block" in extensions:
        md.core.ruler.disable("attr")  # keep attribute lines as tokens
    return md


def lines_of(token):
    """Return the first line of a block's token, and the line after its last."""
    first, last = token.map or (0, 0)
    return first, last


def directive(token):
    """Return the directive that a token represents, or None."""
    if token.type not in ("fence", "colon_fence"):
        return None
    name, brace, argument = token.info.strip().partition("}")
    if not (brace and name.startswith("{")):
        return None
    first, last = lines_of(token)
    options, body = _split(token.content)
    above = token.content.count("\n") - body.count("\n")
    return Block(
        name[1:], argument.strip(), options, body, first, last, first + 1 + above
    )


def directives(text, extensions=EXTENSIONS):
    """Return the outermost directives of a text, in order."""
    found = map(directive, parser(extensions).parse(text))
    return [block for block in found if block]


def without_front_matter(text):
    """Return a file's text without its front matter."""
    first = next(iter(parser().parse(text)), None)
    if first is None or first.type != "front_matter":
        return text
    return "".join(text.splitlines(keepends=True)[lines_of(first)[1] :])


def _split(content):
    """Return a directive's options and the rest of its content."""
    lines = content.splitlines(keepends=True)
    if lines and lines[0].rstrip() == "---":
        end = next((i for i, x in enumerate(lines[1:], 1) if x.startswith("---")), 0)
        return _options("".join(lines[1:end])), "".join(lines[end + 1 :])
    end = 0
    while end < len(lines) and _is_option(lines[end]):
        end += 1
    options = "".join(line.lstrip()[1:] for line in lines[:end])
    return _options(options), "".join(lines[end:])


def _is_option(line):
    return line.lstrip().startswith(":") and not line.lstrip().startswith(":::")


def _options(text):
    try:
        return dict(options_to_items(text)[0])
    except TokenizeError:  # Sphinx warns, and ignores the options
        return {}
