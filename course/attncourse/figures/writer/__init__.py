"""Figure: a decoder that writes, one word after the other."""
