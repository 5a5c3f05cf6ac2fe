"""Every figure of the lessons, one folder each.

In a folder, `still.py` draws with matplotlib, `live.py` has the controls and what they
mean, and `live.js` draws the live view. `kit` is what all of them share.

>>> from attncourse.figures.weighted_sum import live
>>> live.panel(parts=(3, 2, 1)).compute().weights.round(3)
array([0.5  , 0.333, 0.167])
"""
