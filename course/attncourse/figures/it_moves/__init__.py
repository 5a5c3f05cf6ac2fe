"""Figure: what "it" says and what it is, after each step of two layers."""
