"""Small models that are trained: one for cards, two for texts, and one that writes."""
