"""What stands inside a line: roles, spans with attributes, links to other pages."""

import os
import re
from pathlib import Path

ROLE = re.compile(r"\{(?P<name>[A-Za-z][\w:.-]*)\}`(?P<text>[^`]+)`")
TITLED = re.compile(r"(?P<title>.*?)\s*<(?P<target>[^<>]*)>", re.DOTALL)
SPAN = re.compile(r"\[(?P<text>[^\[\]]+)\]\{[.#][^}]*\}")
AFTER_CODE = re.compile(r"(?<=`)\{[.#][^}]*\}")
LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]+)\]\((?P<target>[^()\s]+)\)")
SCHEME = re.compile(r"[a-z]+:")


def plain_line(line, reader):
    """Return a line of Markdown without anything that only MyST knows."""
    line = ROLE.sub(lambda match: _role(match["name"], match["text"], reader), line)
    line = AFTER_CODE.sub("", SPAN.sub(r"\g<text>", line))
    return LINK.sub(lambda match: _link(match, reader), line)


def _role(name, text, reader):
    if name in reader.roles:
        return reader.roles[name](text, reader)
    if name.startswith("cite"):
        in_text = name in ("cite:t", "cite:ct")
        return reader.bibliography.cite(text, in_text=in_text)
    if name in ("math", "eq"):
        return f"${text}$" if name == "math" else text
    titled = TITLED.fullmatch(text)
    return titled["title"] if titled else text


def _link(match, reader):
    """Let a link lead to a copy, or to nothing: what is not exported is only named."""
    text, target = match["text"], match["target"]
    if SCHEME.match(target):
        return match[0]
    path, _, _ = target.partition("#")
    name = path if path.endswith((".ipynb", ".md")) else f"{path}.md"
    file = Path(os.path.normpath(reader.page.parent / name))
    if file.suffix == ".ipynb" or file in reader.pages:
        return f"[{text}]({_address(Path(name).with_suffix('.ipynb'), file, reader)})"
    return text


def _address(name, file, reader):
    if not reader.home:
        return name.as_posix()
    place = file.with_suffix(".ipynb").relative_to(reader.folder).as_posix()
    return f"{reader.home.rstrip('/')}/{place}"
