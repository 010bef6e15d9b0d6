"""How things show themselves in a notebook: plain text always, HTML without styles or scripts of its own."""
