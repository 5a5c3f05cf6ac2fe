"""A matplotlib backend whose `plt.show()` puts pictures under the cell."""

import sys

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg


class FigureManager(FigureManagerBase):
    """Shows a figure once, and closes it."""

    def show(self):
        """Show the figure."""
        sys.modules["IPython.display"].display(self.canvas.figure)

    @classmethod
    def pyplot_show(cls, *, block=None):
        """Show and close all open figures."""
        for manager in Gcf.get_all_fig_managers():
            manager.show()
        Gcf.destroy_all()


class FigureCanvas(FigureCanvasAgg):
    """Draws without a window."""

    manager_class = FigureManager  # type: ignore[assignment]
