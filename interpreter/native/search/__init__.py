"""Thinking in machine code: worlds, look-ahead and tree search of one decision in one call."""
