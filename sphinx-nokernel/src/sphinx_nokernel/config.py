"""The configuration values: their defaults, and what each is for."""

PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.27.7/full/"
# For that release's own files; its lock file has those of its packages.
DIGESTS = {
    "pyodide.mjs": "sha256-BMBSyBWrsL8pgfo4wt+ljjEg7lKIyVbfKyoV4wF4LF8=",
    "pyodide.asm.js": "sha256-a0yQ3ltxcoc/BPIYhNDp0idOMF/jIRZVj+Pk++NhjVE=",
    "pyodide.asm.wasm": "sha256-pQ3RhD+AWgt8RbYQN+4Neybf6F7+DhjvlaNK0k5AH18=",
    "python_stdlib.zip": "sha256-FmEVNHJuXYrCvY+SZBCy3LjW9JqiSRNGNTO0V6IRXBY=",
    "pyodide-lock.json": "sha256-nEW5FgAadQ9BAvwodJTz6rIVkJx1NcYmog24D9YzPiw=",
}

# name: (default, what a change rebuilds, types)
VALUES = {
    # Widgets: mount them without a kernel, in place of require.js and html-manager,
    # on pages where all of them can be; "always": on every page with widgets.
    "nokernel_widgets": (True, "env", [bool, str]),
    # Code cells: Run, Edit and Reset in the page; "tagged": only where tagged `live`.
    "nokernel_live_code": (True, "env", [bool, str]),
    # In place of a line for each cell with hidden code, one switch for the page.
    "nokernel_code_switch": (False, "env", [bool]),
    # Keep the text of edited cells on the reader's device, until Reset.
    "nokernel_remember": (False, "html", [bool]),
    # Serve the files that cells name, so that Python in the page can read them.
    "nokernel_files": (True, "env", [bool]),
    # The address from which a page fetches Pyodide at the first Run.
    "nokernel_pyodide": (PYODIDE, "html", [str]),
    # The digests that its files must match before they run; empty to skip the check.
    "nokernel_pyodide_digests": (DIGESTS, "html", [dict]),
    # The download whose pages run from a folder, from the site's address, if there is
    # one: a page that cannot start Python names it.
    "nokernel_inside": ("", "html", [str]),
    # Packages served with the site: project folders or installed distributions.
    "nokernel_wheels": ([], "html", [list]),
    # Modules of those packages, and what Pyodide must fetch before importing them.
    "nokernel_imports": ({}, "html", [dict]),
    # Publish the solutions of exercises; the title of the folds that hold them.
    "nokernel_solutions": (True, "env", [bool]),
    "nokernel_solution_title": ("Show a solution", "env", [str]),
    # Launch buttons: owner/name on GitHub, its branch, and the branch for Colab.
    "nokernel_repository": ("", "html", [str]),
    "nokernel_branch": ("main", "html", [str]),
    "nokernel_colab_branch": ("", "html", [str]),
    # The folder of plain copies that Binder opens, if not the notebooks themselves.
    "nokernel_binder_folder": ("", "html", [str]),
    # The first page is headed by the book's title, whatever its source says.
    "nokernel_title_first_page": (False, "env", [bool]),
    # Downloads: base name of the archives' top folders; True for one made of the book's
    # title, empty for none. `files` are glob patterns below `folder`, of pages those
    # that are in the book; `readme` is formatted with title, wheels, needs, and size,
    # that of all that is installed then.
    "nokernel_bundle": ("", "html", [str, bool]),
    "nokernel_bundle_folder": (".", "html", [str]),
    "nokernel_bundle_files": (["*.ipynb"], "html", [list]),
    "nokernel_bundle_wheels": ([], "html", [list]),
    "nokernel_bundle_needs": ([], "html", [list]),
    "nokernel_bundle_readme": ("", "html", [str]),
    # Plain copies: functions, as package.module:function, that rewrite the book's own
    # roles and directives; see export/__init__.py.
    "nokernel_plain_roles": ({}, "html", [dict]),
    "nokernel_plain_directives": ({}, "html", [dict]),
    # An installable site that works offline; see installable.py. Empty for none;
    # keys: short_name, icons (below _static), colors (of `light` and `dark`), and
    # `later`, patterns of files that are kept once a reader has used them.
    "nokernel_installable": ({}, "html", [dict]),
    # KaTeX: the folder of its npm package, and CSS classes for single letters.
    "nokernel_katex": ("node_modules/katex", "env", [str]),
    "nokernel_symbols": ({}, "env", [dict]),
    # Lighter pages: do not serve the parts of the theme that no page uses.
    "nokernel_lighten": (False, "html", [bool]),
    # Defer every script; the book's own templates must defer theirs as well.
    "nokernel_defer": (False, "html", [bool]),
    # Files below _static that the book's own templates do not need.
    "nokernel_unserved": ([], "html", [list]),
    # Scripts below _static that hold only data and name no CSS class or id.
    "nokernel_data_scripts": ([], "html", [list]),
}


def add_config_values(app):
    """Register every configuration value with Sphinx."""
    for name, (default, rebuild, types) in VALUES.items():
        app.add_config_value(name, default, rebuild, types)
