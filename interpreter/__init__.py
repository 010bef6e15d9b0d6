"""Checking, compiling and running `.dragon` specs. Knows `grammar`, and nothing of `cli`."""
