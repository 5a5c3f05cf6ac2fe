"""The directives of models by name: every family with its parts, and lesson 14's menu.

    :::{all-families}
    :::

Each family has a line, those that attnconfig reads and a few more: what its models are
called, the line `model_type` of their files, and the cards of their parts. Who searches
for one is led there.

    :::{menu-of-models}
    :::

shows nothing: who searches for a model of the menu is led to the section it stands in.
"""

from functools import cache

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from attncourse.figures.configuration.models import MODELS
from attncourse.real_model.configuration.cards import of_layer, of_line, of_model

from .card import SIZES, names_of_models
from .users import files


@cache
def families():
    """Return {family: (its models' names, the address and name of each card)}."""
    found, cards_of = {}, cache(of_layer)  # most layers are as the one before
    for one in files():
        names, cards = found.setdefault(one.family, ([], {}))
        names.append(one.name)
        told = [card for layer in one.layers for card in cards_of(layer)]
        if not one.layers:  # then lines alone tell
            told += filter(None, map(of_line, one.lines))
        # What tells of a whole model may have another name for the same card.
        cards |= {at: name for name, at in told if at not in cards}
        cards |= {at: name for name, at in of_model(one.lines)}
    return dict(sorted(found.items(), key=lambda one: one[1][0][0].casefold()))


def place_of(name):
    """Return the id of a family's line, from which search-page.js reads the name."""
    return f"family-{name.replace(' ', '-').replace('.', '_')}"


def line(family, names, cards):
    """Return what is said of a family, in Markdown."""
    parts = (f"[{name}]({at.replace('.html', '.ipynb')})" for at, name in cards.items())
    others = dict.fromkeys(SIZES.sub("", name) for name in names[1:])
    others.pop(SIZES.sub("", names[0]), None)
    also = f", also {', '.join(others)}" if others else ""
    said = " · ".join(parts) or "none of these"
    return f"**{names[0]}**{also}, `{family}`: {said}"


class AllFamilies(SphinxDirective):
    """The directive: a list of the families."""

    def run(self):
        """Return the list, each item with an address of its own."""
        listed = nodes.bullet_list()
        for family, (names, cards) in families().items():
            place = place_of(names[0])
            item = nodes.list_item("", ids=[place])
            called = [family, *names_of_models(names)]
            entries = [("single", one, place, "main", None) for one in called]
            item += addnodes.index(entries=entries)
            source, at = self.get_source_info()
            text = StringList([line(family, names, cards)], source)
            self.state.nested_parse(text, at, item)
            listed += item
        return [listed]


class Menu(SphinxDirective):
    """The directive: the models of lesson 14's menu lead to where it stands."""

    def run(self):
        """Return what the index takes up, at the heading above it."""
        return [addnodes.index(entries=[], names_of_card=names_of_models(MODELS))]


def plain_all_families(argument, options, body, reader):
    """Return a line for copies of the page."""
    return "The list stands on the course's site."


def plain_menu(argument, options, body, reader):
    """Return nothing: copies have no index."""
    return ""


def setup(app):
    """Register with Sphinx."""
    app.add_directive("all-families", AllFamilies)
    app.add_directive("menu-of-models", Menu)
