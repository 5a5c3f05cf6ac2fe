"""Figure: how many bytes a cache of keys and values takes."""
