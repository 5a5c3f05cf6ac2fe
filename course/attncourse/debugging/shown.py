"""Tables of marks and words, as text and as HTML."""

from html import escape


class Shown:
    """A table with a name for each row and each column.

    Parameters
    ----------
    caption : str
    columns : sequence of str
        The first is the heading of the rows' names.
    rows : dict of str to sequence
        True is shown as ✗, False as –, anything else as it is.
    """

    def __init__(self, caption, columns, rows):
        self.caption, self.columns, self.rows = caption, columns, rows

    def __repr__(self):
        table = [self.columns, *([name, *row] for name, row in self.rows.items())]
        cells = [[_text(cell) for cell in row] for row in table]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join(
            "  ".join(map(str.ljust, row, widths)).rstrip() for row in cells
        )

    def _repr_html_(self):
        head = "".join(
            f'<th scope="col">{escape(str(name))}</th>' for name in self.columns
        )
        body = "".join(
            f'<tr><th scope="row">{escape(name)}</th>{"".join(map(_cell, row))}</tr>'
            for name, row in self.rows.items()
        )
        return (
            f'<div class="aw-shown"><table><caption>{escape(self.caption)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )


def _text(cell):
    return {True: "✗", False: "–"}[cell] if isinstance(cell, bool) else str(cell)


def _cell(cell):
    return f"<td>{escape(_text(cell))}</td>"
