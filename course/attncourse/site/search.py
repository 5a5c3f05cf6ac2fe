"""Search for "it", the word of the story, which is a stop word of Sphinx's.

The index has it; search-page.js asks for it where it is all that is searched for.
"""

from sphinx.search.en import SearchEnglish

KEPT = {"it"}


class SearchStory(SearchEnglish):
    """English, with one more word in the index. In a longer query it says nothing."""

    def word_filter(self, word):
        """Say whether the index has this word."""
        return word in KEPT or super().word_filter(word)


def setup(app):
    """Register with Sphinx, in place of its own English."""
    app.add_search_language(SearchStory)
