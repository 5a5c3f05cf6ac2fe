"""The figure of lesson 17: attention as it was meant, beside what shipped."""
