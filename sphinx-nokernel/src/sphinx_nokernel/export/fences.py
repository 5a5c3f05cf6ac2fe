"""Text as MyST divides it: lines, and fenced blocks that may hold others."""

import re
from dataclasses import dataclass, field

from ..solutions import FENCE, closing_line

OPTION = re.compile(r"\s*:(?P<name>[\w-]+):\s*(?P<value>.*)$")


@dataclass
class Block:
    """A fenced block. Without a name it is code, or another tool's."""

    name: str
    argument: str
    options: dict = field(default_factory=dict)
    body: list = field(default_factory=list)  # lines
    opening: str = ""
    closing: str = ""


def divide(lines):
    """Yield each line that stands in no fence, and each outermost `Block`."""
    at = 0
    while at < len(lines):
        match = FENCE.match(lines[at])
        end = match and closing_line(lines, at, match["fence"])
        if end:
            yield _block(match, lines[at : end + 1])
            at = end
        else:
            yield lines[at]
        at += 1


def _block(match, lines):
    opening, *body, closing = lines
    argument = opening[match.end() :].strip()
    if not match["name"]:
        return Block("", argument, {}, body, opening, closing)
    options = {}
    while body and (option := OPTION.match(body[0])):
        options[option["name"]] = option["value"]
        body = body[1:]
    return Block(match["name"], argument, options, body, opening, closing)


def items(lines, marker="-"):
    """Divide a list into its items, each as lines without marker and indentation.

    Lines before the first item are left out.
    """
    found, width = [], len(marker) + 1
    for line in lines:
        if line.startswith(f"{marker} "):
            found.append([line[width:]])
        elif found:
            found[-1].append(line[width:] if line[:width].isspace() else line.lstrip())
    return [_trimmed(item) for item in found]


def _trimmed(lines):
    return "\n".join(lines).strip("\n").split("\n")
