"""The notebooks as other readers get them: plain Markdown, and nothing to install.

The sources are written in MyST with this package's directives, which JupyterLab, Colab,
VS Code and code hosts do not know. Copies that leave the site are rewritten here:
questions get a folded answer; admonitions become folds or quotes, and roles become
words; references are added. MyST's own parser reads the text, and only what it calls a
directive, a role or another mark of MyST is changed. Code, formulas, and directives and
roles not known here stay to the letter. Code cells stay as they are, except solutions,
which become folds.

`nokernel_plain_roles` and `nokernel_plain_directives` name functions, as
`package.module:function`, for what a book adds of its own:

    role(text, reader) -> str                            Markdown for {name}`text`
    directive(argument, options, body, reader) -> str    Markdown for :::{name} argument
"""

from .notebooks import plain_copies, plain_notebook
from .reader import Reader

__all__ = ["Reader", "plain_copies", "plain_notebook"]
