"""Code on a narrow screen: what wraps hangs under the indentation of its own line.

A style sheet alone cannot know how far a line is indented. So each line of code becomes
a box that says so, and `nokernel.css` hangs its continuation two letters further in.
The text is the same to the letter, for copying, editing and running. Where a book does
not let code wrap, nothing looks different.
"""

import re

# Code alone: what a cell prints has other classes before `highlight-`.
CODE = re.compile(
    r'(<div class="highlight-[^"]*"><div class="highlight"><pre>)(.*?)(?=</pre>)',
    re.DOTALL,
)
LINE = re.compile(r".+")
TAG = re.compile(r"<[^>]*>")


def hang_lines(app, page):
    """Make each line of code a box that knows its indentation."""
    if page.context.get("body"):
        page.context["body"] = CODE.sub(_in_lines, page.body)


def _in_lines(code):
    return code[1] + LINE.sub(_line, code[2])


def _line(line):
    text = TAG.sub("", line[0])
    spaces = len(text) - len(text.lstrip(" "))
    indent = f' style="--nk-indent:{spaces}ch"' if spaces else ""
    return f'<span class="nk-line"{indent}>{line[0]}</span>'
