"""Small games solved exactly: the whole tree, or the best play from every position."""
