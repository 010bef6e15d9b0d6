"""Rulebooks made from rules: a checked game as a text that a player can learn the game from."""

from .book import write_book as write_book
from .document import Book as Book
from .to_html import to_html as to_html
from .to_markdown import to_markdown as to_markdown
from .variants import VariantRules as VariantRules
