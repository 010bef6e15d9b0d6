"""Playing at a terminal: the page, what can be typed, the journal."""
