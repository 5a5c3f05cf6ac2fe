"""Plain copies of the notebooks, in Markdown that needs no extension installed.

The sources are written in MyST with this package's directives, which JupyterLab, Colab,
VS Code and code hosts do not support. Copies that leave the site are rewritten here:
questions get a folded answer; admonitions become folds or quotes, and roles become
text; references are added. MyST's own parser reads the text, and only what it
recognizes as a directive, a role or other MyST syntax is changed. Code, formulas, and
unknown directives and roles are left unchanged, as are code cells, except solutions,
which become folds.

`nokernel_plain_roles` and `nokernel_plain_directives` name functions, as
`package.module:function`, for a book's own roles and directives:

    role(text, reader) -> str                            Markdown for {name}`text`
    directive(argument, options, body, reader) -> str    Markdown for :::{name} argument
"""

from .notebooks import plain_copies, plain_notebook
from .reader import Reader

__all__ = ["Reader", "plain_copies", "plain_notebook"]
