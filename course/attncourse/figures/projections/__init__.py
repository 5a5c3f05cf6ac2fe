"""Figure: where the rows of W^Q and W^K send words, and how they score."""
