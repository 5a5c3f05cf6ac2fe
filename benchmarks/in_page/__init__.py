"""Parts of the benchmark of the model in the page."""
