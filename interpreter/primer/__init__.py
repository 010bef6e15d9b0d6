"""The book to learn a game from: what players need first, in their order, with pictures of the table."""

from .learning import book_to_learn

__all__ = ["book_to_learn"]
