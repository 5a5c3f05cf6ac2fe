"""Figure: a mask decides which outputs a later word can reach."""
