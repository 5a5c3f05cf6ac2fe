"""The text of a node as a reader would say it: formulas without their TeX."""

import re

from docutils import nodes

SIGNS = {
    r"\sum": "Σ",
    r"\delta": "δ",
    r"\Phi": "Φ",
    r"\mu": "μ",
    r"\sigma": "σ",
    r"\sqrt": "√",
    r"\top": "ᵀ",
    r"\times": "×",
    r"\cdot": "·",
    r"\le": "≤",
    r"\ge": "≥",
    r"\infty": "∞",
    r"\ldots": "…",
}
COLOR = re.compile(r"\\htmlClass\{[^}]*\}")
TEXT = re.compile(r"\\(?:text|mathrm|operatorname)\{([^}]*)\}")
ROOT = re.compile(r"\\sqrt\{([^}]* [^}]*)\}")  # of more than one thing
EXPONENT = re.compile(r"\be\^\{([^}]*)\}")
COMMAND = re.compile(r"\\([A-Za-z]+)(?: (?=\w))?")
NAMED = {"max", "min", "log", "exp", "cos", "sin"}


def spoken(latex):
    r"""Return a formula as plain text: \sqrt{d_k} as √d_k."""
    text = ROOT.sub(r"√(\1)", TEXT.sub(r"\1", COLOR.sub("", latex)))
    text = EXPONENT.sub(r"exp(\1)", text)
    text = COMMAND.sub(_sign, text)
    return re.sub(r"[{}\\]|\^(?=ᵀ)", "", text).strip()


def _sign(match):
    name = match[1]
    return SIGNS.get(f"\\{name}", name if name in NAMED else "")


def plain_text(node):
    """Return the text of a node on one line."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.math):
        return spoken(node.astext())
    return re.sub(r"\s+", " ", "".join(map(plain_text, node.children)))


def first_sentences(text, limit):
    """Return the first sentences of a text that fit into so many characters."""
    kept = ""
    for one in re.split(r"(?<=[.?!]) (?=[A-Z√“])", text.strip()):
        if kept and len(kept) + len(one) + 1 > limit:
            break
        kept = f"{kept} {one}".strip()
    return kept if len(kept) <= limit else kept[: limit - 1].rsplit(" ", 1)[0] + "…"
