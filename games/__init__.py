"""The games that ship with dragonrules, as `.dragon` files."""
