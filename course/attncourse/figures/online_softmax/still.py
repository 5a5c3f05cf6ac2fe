"""Still pictures of lesson 13: what long texts cost."""

import html

import numpy as np

from ..kit.picture import INK, MUTED, QUERY, WEIGHTS, Picture, panels, picture


@picture
def keys_read(scores, now):
    """Draw scores, some of them read, and what a running softmax keeps of those.

    Parameters
    ----------
    scores : array, (n_keys,)
    now : object
        Of the keys read: their ``scores``, the ``largest``, the ``factor``, the
        ``total`` of the exponentials, and the ``output``.
    """
    figure, (left, right) = panels(1, 2, size=(7.2, 3.0))
    names = [f"k{j}" for j in range(1, len(scores) + 1)]
    read = len(now.scores)
    for j, (name, score) in enumerate(zip(names, scores, strict=True)):
        left.bar(name, score, color=QUERY, alpha=0.75 if j < read else 0.25)
    left.axhline(now.largest, color=MUTED, lw=1, ls="--")
    left.set(title=f"Scores; largest {now.largest:g}", yticks=[0, 2, 4, 6, 8, 10])
    powers = np.exp(now.scores - now.largest)
    bars = right.bar(names[:read], powers, color=WEIGHTS)
    right.bar_label(bars, [f"{p:.3f}" for p in powers], fontsize=8)
    title = f"exp(score − largest), total {now.total:.3f}"
    right.set(title=title, ylim=(0, 1.15), yticks=[0, 0.5, 1])
    output = ", ".join(f"{x:.2f}" for x in now.output)
    return figure, (
        f"{read} of {len(scores)} keys read, scores "
        f"{', '.join(f'{s:g}' for s in now.scores)}: largest {now.largest:g}, "
        f"last factor {now.factor:.4f}, total {now.total:.3f}, output {output}."
    )


@picture
def multiplications(sizes, counts):
    """Draw how many multiplications parts of a layer need, against n.

    Parameters
    ----------
    sizes : sequence of int
    counts : dict of str to sequence of int
        For each part's name, its multiplications at each size.
    """
    billions = {name: np.array(values) / 1e9 for name, values in counts.items()}
    label = "billions of multiplications"
    figure, listed = _against_n(sizes, billions, (MUTED, WEIGHTS), label)
    return figure, f"Multiplications in billions at n = {listed}."


def _against_n(sizes, rows, colours, ylabel):
    """Draw a line for each row; return the figure, and all its numbers in words."""
    figure, axis = panels(size=(5.6, 3.2))
    for (name, values), colour in zip(rows.items(), colours, strict=True):
        axis.plot(sizes, values, "o-", color=colour, label=name)
    axis.set(xlabel="n", ylabel=ylabel, ylim=(0, None))
    axis.set_xticks(sizes, [str(size) for size in sizes])
    axis.legend()
    says = "; ".join(
        f"{name} {', '.join(f'{v:.1f}' for v in values)}"
        for name, values in rows.items()
    )
    return figure, f"{', '.join(str(size) for size in sizes)}: {says}"


class Measured(Picture):
    """A picture of times, which differ at every run: its words leave them out.

    The page has them in a table below the picture.
    """

    def __init__(self, drawn, table, says):
        super().__init__(drawn.svg, drawn.alt)
        self.table, self.says = table, says

    def __repr__(self):
        return self.says

    def _repr_html_(self):
        return super()._repr_html_() + self.table


def times(sizes, seconds):
    """Draw measured times against n, with a table of them.

    Parameters
    ----------
    sizes : sequence of int
    seconds : dict of str to sequence of float
        For each way's name, the seconds it took at each size.
    """
    names = " and ".join(seconds)
    says = f"Measured where this page was made, in milliseconds against n: {names}."
    return Measured(_times(sizes, seconds, says), _table(sizes, seconds), says)


@picture
def _times(sizes, seconds, says):
    figure, axis = panels(size=(5.6, 3.2))
    first = next(iter(seconds.values()))
    growth = [first[-1] * (n / sizes[-1]) ** 2 * 1000 for n in sizes]
    axis.plot(sizes, growth, "--", color=MUTED, lw=1, label="grows as n²")
    for (name, values), colour in zip(seconds.items(), (QUERY, WEIGHTS), strict=True):
        axis.plot(sizes, np.array(values) * 1000, "o-", color=colour, label=name)
    axis.set(xlabel="n", ylabel="milliseconds", xscale="log", yscale="log")
    axis.set_xticks(sizes, [str(size) for size in sizes])
    axis.minorticks_off()
    axis.legend(labelcolor=INK)
    return figure, f"{says} The numbers are in the table."


def _table(sizes, seconds):
    def line(tag, cells):
        return f"<tr>{''.join(f'<{tag}>{html.escape(c)}</{tag}>' for c in cells)}</tr>"

    head = line("th", ["n", *(f"{name}, ms" for name in seconds)])
    rows = zip(sizes, *seconds.values(), strict=True)
    body = [line("td", [str(n), *(f"{1000 * s:.1f}" for s in row)]) for n, *row in rows]
    rest = f"<tbody>{''.join(body)}</tbody>"
    return f'<table class="table"><thead>{head}</thead>{rest}</table>'
