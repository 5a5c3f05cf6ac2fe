"""Figure: what W_Q and W_K do to words."""
