"""Remove the rules of a style sheet that no page of a site can need.

(PurgeCSS does this too, but needs 30 npm packages; tinycss2 is already installed.)

A selector is dropped only if it asks for a class or an id whose name occurs nowhere:
neither as one in a page nor as a word in a script. What stands inside `:not()`,
`:is()`, `:where()` and `:has()` is ignored, and so never a reason to drop a selector.
"""

import re

import tinycss2

ATTRIBUTE = re.compile(r'\b(?:class|id)="([^"]*)"')
WORD = re.compile(r"[A-Za-z_][\w-]*")
ASKED = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
ICON_FONT = re.compile(r"Font[ \\]+Awesome|--fa-", re.IGNORECASE)  # see icons.css


def names_in(site, data=()):
    """Return every word that may be a class or an id in the pages of a folder.

    Scripts listed as data are not read.
    """
    names = set()
    for path in site.rglob("*.html"):
        for value in ATTRIBUTE.findall(path.read_text(encoding="utf-8")):
            names.update(value.split())
    for path in site.rglob("*.js"):
        if path.name != "searchindex.js" and path not in data:
            names.update(WORD.findall(path.read_text(encoding="utf-8")))
    return names


def purged(css, names):
    """Return a style sheet without rules that need a name not in ``names``."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return "".join(_kept(rules, names))


def _kept(rules, names):
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [one for one in _selectors(rule) if _may_match(one, names)]
            if selectors:
                text = ",".join(map(tinycss2.serialize, selectors))
                yield f"{text.strip()}{{{tinycss2.serialize(rule.content)}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
            yield from _kept_group(rule, names)
        elif not (
            rule.type == "at-rule"
            and rule.lower_at_keyword == "font-face"
            and ICON_FONT.search(rule.serialize())
        ):
            yield rule.serialize()


def _kept_group(rule, names):
    inner = tinycss2.parse_rule_list(rule.content, skip_whitespace=True)
    if text := "".join(_kept(inner, names)):
        yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{text}}}"


def _selectors(rule):
    """Split the selectors of a rule at its commas."""
    parts = [[]]
    for token in rule.prelude:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _may_match(selector, names):
    """Say whether a selector asks only for names that occur."""
    plain = [token for token in selector if token.type != "function"]
    return all(name in names for name in ASKED.findall(tinycss2.serialize(plain)))
