"""Every figure of the lessons, one folder each.

In a folder, `live.py` has the controls, what they mean and the picture that matplotlib
draws (where there is a lot of it, in `still.py`), and `live.js` draws the live view.
`kit` is what all of them share.

>>> from attncourse.figures.weighted_sum import live
>>> live.panel(parts=(3, 2, 1)).compute().weights.round(3)
array([0.5  , 0.333, 0.167])
"""
