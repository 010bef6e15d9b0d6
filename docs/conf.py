"""How the documentation is built: `sphinx-build -W docs SOMEWHERE`."""

from dragonrules import __version__

project = "dragonrules"
release = __version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "dragonrules"
html_copy_source = False
exclude_patterns = ["editors"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nitpicky = True
