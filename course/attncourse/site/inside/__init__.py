"""The site to take along with Python inside: its cells run in a page from a folder.

A page opened by double-click may fetch nothing, but it may load scripts. So each file
that Python needs lies beside itself as a script that holds its bytes, `numpy….whl.js`
beside where `numpy….whl` would be. `in-folder.js` loads these scripts for the worker, a
classic one made from text, since a file may not be one either; `worker-head.js` answers
there what the worker fetches, so that the worker itself is the same as on the site.

`release.py` finds Pyodide's files and compares them with their digests, and
`pack.py` rewrites the pages and writes the zip. `tools/bundle_python.py` does it all.
"""
