"""The numbers of the five posts as they print them, and seeded stand-ins."""

import numpy as np

from attncourse.story.examples import book_words, plane_words, three_tokens, three_words

POSTS = {
    1: "Intuitive Maths And Code Behind Self-Attention Mechanism Of "
    "Transformers (Ashis)",
    2: "Transformers: Self Attention Mechanism",
    3: "Understanding the Math behind “Self Attention Mechanism” "
    "(slides, Generative AI for All)",
    4: "Transformers and Attention Mechanisms: Unveiling the Math Behind Modern NLP "
    "Models (Raj Shaikh)",
    5: "How Self-Attention Is Calculated",
}

# Post 1, embedding dimension 5. Its weight matrices are in pictures only.
THIS_IS_BOOK = np.array(list(book_words().values()))  # (3, 5)

# Post 2: three of the 512 numbers of each word are printed, and the percentages of
# its attention that each word gives to the three words.
I_AM_GOOD = np.array([[1.76, 2.22, 6.66], [7.77, 0.631, 5.35], [11.44, 10.10, 3.33]])
PERCENTAGES = np.array([[90, 7, 3], [2.5, 95, 2.5], [21, 3, 76]])

# Post 3: five words in the plane; every projection is the identity.
WORDS = list(plane_words())
PLANE = np.array(list(plane_words().values()))  # (5, 2)

# Post 4: three tokens, d_k = 2, each (3, 2).
QUERY, KEY, VALUE = three_tokens()

# Post 5: three words of size 4, and a layer with its three 4 × 4 weight matrices.
X, LAYER = three_words()

# Vaswani et al. (2017), “Attention Is All You Need”, section 3.1: looked up.
N_LAYERS_IN_PAPER = 6


def draw(*shape, seed=0):
    """Return numbers of mean 0 and variance 1, the same at every run."""
    return np.random.default_rng(seed).standard_normal(shape)
