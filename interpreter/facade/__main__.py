"""`python -m dragonrules`: the same as the `dragonrules` command."""

from .cli.main import main

main()
