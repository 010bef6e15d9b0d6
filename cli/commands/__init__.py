"""The sub-commands of `dragonrules`, one module each."""
