"""The figure of choosing keys: what each way ranks and reads, and what it costs."""
