"""Lesson 14: the machine and the costs of a configuration."""
