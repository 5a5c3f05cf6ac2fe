"""What a plan of the machine is made of: matrices in places, and what joins them."""

from typing import NamedTuple

CELL = 24  # the height of a cell; all lengths are in units of the drawing
WIDTH = 690


class Matrix(NamedTuple):
    """A matrix in its place.

    Parameters
    ----------
    base : str
        Which of `PARTS`.
    x, y : float
        Its upper left corner.
    width : float
        Of one cell.
    rows, columns : int
        As it stands: a turned one has the columns of the other.
    turned : bool
        Whether it lies on its side.
    names : str
        Which names are written: "r" of the rows, "c" of the columns.
    title : str
        Where its own name stands: "side", "above", "corner" or "" for nowhere.
    lesson : int
        The lesson that brings it here; 0 for that of the part.
    """

    base: str
    x: float
    y: float
    width: float
    rows: int
    columns: int
    turned: bool = False
    names: str = ""
    title: str = "above"
    lesson: int = 0

    @property
    def right(self):
        """Where it ends on the right."""
        return self.x + self.columns * self.width

    @property
    def foot(self):
        """Where it ends below."""
        return self.y + self.rows * CELL


class Plan(NamedTuple):
    """All matrices, and what joins them.

    Parameters
    ----------
    matrices : list of Matrix
    products : list of (int, int, int, bool)
        Left factor, top factor and product, by their places in `matrices`, and whether
        bent lines join the columns of the one to the rows of the other. −1 for a top
        factor: the product is made of the same row alone; −2: of the same cell alone.
    wires : list of (str, int, list of (float, float))
        Role, lesson and corners of the path of what travels.
    words : list of (float, float, str, int)
        Middle, foot and lesson of a free word.
    height : float
    ramp : dict of str to float, optional
        The box in which the network of a layer is drawn.
    """

    matrices: list
    products: list
    wires: list
    words: list
    height: float
    ramp: dict | None = None


def put(made, sizes, base, x, y, width, **more):
    """Add a matrix to a plan; return its place in it."""
    rows, columns = sizes[base][::-1] if more.get("turned") else sizes[base]
    made.matrices.append(Matrix(base, x, y, width, rows, columns, **more))
    return len(made.matrices) - 1


def bend(start, foot, lane, end, down):
    """Return a wire: down from a foot, left along a lane, down to where it is used."""
    lane += foot
    return [(start, foot + 3), (start, lane), (end, lane), (end, down)]
