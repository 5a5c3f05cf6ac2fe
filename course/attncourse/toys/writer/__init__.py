"""A small decoder that writes stories: its texts, its training, what it learned."""
