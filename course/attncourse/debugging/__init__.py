"""Ten bugs in the program that trains the writer, or in the one that lets it write.

Each is one part of a program, put in the place of the right one.
"""
