"""Figure: softmax in one pass; what long inputs cost."""
