"""Search: what other engines find, and the word of the story."""

import json
import re
from html import unescape

from docutils import nodes
from sphinx.search.en import SearchEnglish

from .terms import is_lesson

# Metadata of a page for machines: what it teaches, as a LearningResource.
#
# A lesson's line of facts (class `aw-meta`) says how long it takes, and which lessons
# it needs; the rest is what its reader sees. Addresses are given where the site knows
# its own (SITE_ADDRESS). The script is data: no browser runs it.

DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
MINUTES = re.compile(r"(\d+) minutes")
FACTS = "attncourse_facts"  # in a page's context
LICENSE = "https://creativecommons.org/licenses/by/4.0/"


def resource(app, name, context):
    """Return what schema.org's terms say of a lesson."""
    config, told = app.config, dict(context[FACTS])
    author = {"@type": "Organization", "name": config.author}
    if found := DESCRIPTION.search(context.get("metatags") or ""):
        told["description"] = unescape(found[1])
    if config.html_baseurl:
        told["url"] = f"{config.html_baseurl}{app.builder.get_target_uri(name)}"
    return {
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": re.sub("<[^>]+>", "", unescape(context["title"])),
        **told,
        "learningResourceType": "lesson",
        "interactivityType": "mixed",
        "inLanguage": config.language or "en",
        "isAccessibleForFree": True,
        "license": LICENSE,
        "author": author,
        "isPartOf": {"@type": "Course", "name": config.project, "provider": author},
    }


def _note(app, name, _template, context, doctree):
    """Keep what the line of facts says: previews take it out of the page's tree."""
    if doctree is None or not is_lesson(app.config, name):
        return
    facts = next(doctree.findall(_is_facts), None)
    context[FACTS] = told = {}
    if facts is None:
        return
    if time := MINUTES.search(facts.astext()):
        told["timeRequired"] = f"PT{time[1]}M"
    if needed := _needed(app, name, facts):
        told["competencyRequired"] = needed


def _is_facts(node):
    return isinstance(node, nodes.Element) and "aw-meta" in node.get("classes", ())


def _needed(app, name, facts):
    """Return the titles of the lessons that the line of facts leads to."""
    links = facts.findall(nodes.reference)
    ends = [link.get("refuri", "").partition("#")[0] for link in links]
    titles = {
        app.builder.get_relative_uri(name, other): title.astext()
        for other, title in app.env.titles.items()
        if is_lesson(app.config, other)
    }
    return [titles[end] for end in ends if end in titles]


def _tell(app, name, _template, context, doctree):
    if FACTS in context:
        text = json.dumps(resource(app, name, context), ensure_ascii=False)
        script = f'<script type="application/ld+json">{_inside(text)}</script>\n'
        context["metatags"] = (context.get("metatags") or "") + script


def _inside(text):
    return text.replace("</", "<\\/")


# Search for "it", the word of the story, which is a stop word of Sphinx's.
#
# The index has it; search-page.js asks for it where it is all that is searched for.

KEPT = {"it"}


class SearchStory(SearchEnglish):
    """English, with one more word in the index. In a longer query it says nothing."""

    def word_filter(self, word):
        """Say whether the index has this word."""
        return word in KEPT or super().word_filter(word)


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", _note, priority=390)
    app.connect("html-page-context", _tell, priority=900)
    app.add_search_language(SearchStory)
