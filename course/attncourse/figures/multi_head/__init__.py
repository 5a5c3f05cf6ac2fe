"""Figure: the star that one head misses and two heads reach."""
