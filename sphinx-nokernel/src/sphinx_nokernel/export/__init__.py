"""The notebooks as other readers get them: plain Markdown, and nothing to install.

The sources are written in MyST for this package's directives, which JupyterLab, Colab,
VS Code and code hosts do not know. A copy that leaves the site is rewritten here:
questions with a folded answer, folds, quotes, words in place of roles, references. A
text is read by MyST's own parser, and only what it calls a directive, a role or
another mark of MyST is changed: code and formulas stay to the letter, and so does a
directive or a role that is not known here. Code cells stay as they are, but a solution,
which becomes a fold.

`nokernel_plain_roles` and `nokernel_plain_directives` name functions, as
`package.module:function`, for what a book adds of its own:

    role(text, reader) -> str                            Markdown for {name}`text`
    directive(argument, options, body, reader) -> str    Markdown for :::{name} argument
"""

from .notebooks import plain_copies, plain_notebook
from .reader import Reader

__all__ = ["Reader", "plain_copies", "plain_notebook"]
