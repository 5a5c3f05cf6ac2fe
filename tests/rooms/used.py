"""The page *Use a part of this*: of each part its line, its code, what that says."""

import re
import shlex
from types import SimpleNamespace

from environments import ROOT

PAGE = ROOT / "book" / "use_a_part.md"
BLOCK = re.compile(r"^(`{3,4})(sh|python|text|md)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def parts():
    """Map the name that each part imports as to what its section holds."""
    text = PAGE.read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n## ")[1:]:
        (name,) = re.findall(r"^`([\w-]+)`: ", section, re.MULTILINE)
        blocks = {kind: block for _, kind, block in BLOCK.findall(section)}
        line = shlex.split(blocks["sh"])
        assert line[:2] == ["pip", "install"]
        found[name.replace("-", "_")] = SimpleNamespace(
            install=line[2:],
            code=blocks["python"],
            says=blocks.get("text"),
            page=blocks.get("md"),
        )
    return found
