"""Figure: words as arrows: dot product and cosine."""
