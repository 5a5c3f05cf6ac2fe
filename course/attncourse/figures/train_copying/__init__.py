"""Figure: train two layers that copy, in the page."""
