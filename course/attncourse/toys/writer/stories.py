"""Short stories whose every next word has a known probability.

"a dog ate the food because it was hungry . then the dog slept ." With "delicious" in
the place of "hungry", the second sentence is about the food: "then the food was gone ."
"""

import numpy as np

ANIMALS = ("dog", "cat", "bird", "horse", "fox", "mouse")
FOODS = ("food", "bread", "soup", "cake", "cheese", "apple")
SIZES, VERBS = ("small", "big"), ("ate", "found", "stole", "wanted")
OF_ANIMALS, OF_FOODS = ("hungry", "greedy", "thin"), ("delicious", "fresh", "sweet")
ENDS = ("slept", "left", "sang", "ran")
ADJECTIVES = OF_ANIMALS + OF_FOODS
REST = ("a", "the", "because", "it", "was", "very", ".", "then", "gone")
WORDS = (*ANIMALS, *FOODS, *SIZES, *VERBS, *ADJECTIVES, *ENDS, *REST)
IDS = {word: i for i, word in enumerate(WORDS)}


def _share(total, words):
    return dict.fromkeys(words, total / len(words))


def _each(words, chances):
    return dict.fromkeys(words, chances)


# What may follow a word, with which probability: in the first sentence of a story, and
# from its "then" on. The noun after "then the" is left to `next_words`.
FIRST = {
    "a": _share(1 / 2, SIZES) | _share(1 / 2, ANIMALS),
    **_each(SIZES, _share(1, ANIMALS)),
    **_each(ANIMALS, _share(1, VERBS)),
    **_each(VERBS, {"the": 1.0}),
    "the": _share(1, FOODS),
    **_each(FOODS, {"because": 1.0}),
    "because": {"it": 1.0},
    "it": {"was": 1.0},
    "was": {"very": 1 / 4} | _share(3 / 4, ADJECTIVES),
    "very": _share(1, ADJECTIVES),
    **_each(ADJECTIVES, {".": 1.0}),
    ".": {"then": 1.0},
}
SECOND = {
    "then": {"the": 1.0},
    **_each(ANIMALS, _share(1, ENDS)),
    **_each(FOODS, {"was": 1.0}),
    "was": {"gone": 1.0},
    **_each((*ENDS, "gone"), {".": 1.0}),
    ".": {"a": 1.0},
}


def next_words(text):
    """Return the probability of each word that may follow.

    Parameters
    ----------
    text : sequence of str
        The words so far, from the beginning of a story on; several stories will do.

    Returns
    -------
    dict of str to float

    Raises
    ------
    ValueError
        If the text is not one that `write_story` could have begun.
    """
    try:
        start = max(i for i, word in enumerate(text) if word == "a")
        return _after(list(text[start:]))
    except (KeyError, IndexError, ValueError):
        rule = "text must be the beginning of a story"
        raise ValueError(f"next_words: {rule}, got {' '.join(text)!r}") from None


def _after(story):
    """Do what `next_words` does for one story, without checks."""
    if "then" not in story:
        return FIRST[story[-1]]
    return _about(story) if story[-1] == "the" else SECOND[story[-1]]


def _about(story):
    """Find what "it" was: the noun that the adjective of the story fits."""
    adjective = story[story.index(".") - 1]
    nouns = ANIMALS if adjective in OF_ANIMALS else FOODS
    (noun,) = [word for word in story[: story.index(".")] if word in nouns]
    return {noun: 1.0}


def write_story(rng):
    """Draw a story, a list of 15 to 18 words."""
    story = ["a"]
    while "then" not in story or story[-1] != ".":
        story.append(_draw(_after(story), rng.random()))
    return story


def _draw(words, number):
    """Choose the first word whose cumulative probability exceeds a number below 1."""
    for word, chance in words.items():
        number -= chance
        if number < 0:
            return word
    return list(words)[-1]  # if rounding left a number of 0


def write_texts(n_texts, n_tokens, rng):
    """Draw texts of stories, each cut after n_tokens words.

    Returns
    -------
    array of int, (n_texts, n_tokens)
        Places in `WORDS`.
    """
    texts = np.empty((n_texts, n_tokens), int)
    for row in texts:
        words = []
        while len(words) < n_tokens:
            words += write_story(rng)
        row[:] = [IDS[word] for word in words[:n_tokens]]
    return texts


def words_right(text):
    """Count the words of a text before the first one that cannot stand there."""
    for i, word in enumerate(text):
        if i and word not in next_words(text[:i]):
            return i
    return len(text)
