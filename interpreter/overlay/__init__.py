"""Variants laid over a base game, declaration by declaration, and what two of them both touch."""
