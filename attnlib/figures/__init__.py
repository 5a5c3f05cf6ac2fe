"""Every still picture that the lessons show, one module a lesson.

Needs matplotlib: ``pip install attnlib[figures]``. Each function returns a `Picture`.
"""
