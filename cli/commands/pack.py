"""`dragonrules pack`: a house rule with all that it needs, as one file to send to somebody."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...grammar.writing import write_whole
from ...interpreter.core.errors import DragonError, UsageError
from ...interpreter.files.carrying import carried
from ...interpreter.loading import load
from ..options.helping import examples, plural
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    "dragonrules pack helping_hands.dragon -o tonight.dragon",
    "dragonrules pack drakon --variant thrift.dragon --variant parley.dragon -o tonight.dragon",
)
_BY_TITLE = "variants in one file are known by their titles: name them so in `needs`"


@click.command("pack", epilog=EPILOG, short_help="Put a house rule and what it needs into one file.")
@game_options
@click.option(
    "-o",
    "--output",
    "output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write.",
)
def command(choice: Choice, output: Path) -> None:
    """Put house rules, what they need and, if it is your own, the game into one readable file.

    What comes with dragonrules is left out: everybody has it. The first lines of the file
    say which rules these are and how to play them. It is read again before anything is
    said: in one file they have to be the same rules as in several.
    """
    path, variants = choice.path, choice.all_variants
    parcel = carried(str(path), variants, Path.read_bytes)
    if not parcel.files:
        raise UsageError(
            "D0708", "all of this comes with dragonrules, so there is nothing to send", "name a file of yours"
        )
    game = choice.load()
    titles = _titles(choice)
    asked = "".join(f' --variant "{title}"' for title in titles)
    lines = [
        f"# {', '.join(titles) or game.name}, for {game.name}; rules {game.fingerprint[:12]}",
        f"# dragonrules run {output.name}{asked}",
    ]
    texts = sorted(parcel.files, key=lambda pair: not re.search(r"^game ", pair[1], re.MULTILINE))
    lines += ["", *(f"# ---- {Path(name).name}\n{text.rstrip()}\n" for name, text in texts)]
    before = output.read_bytes() if output.exists() else None
    write_whole(output, "\n".join(lines).encode())
    try:
        again = load(output, variants=titles)
        if again.checked.digests != game.checked.digests:
            raise UsageError("D0708", "in one file these would not be the same rules", _BY_TITLE)
    except DragonError as problem:
        if before is None:
            output.unlink()
        else:
            write_whole(output, before)
        if isinstance(problem, UsageError) and problem.code == "D0708":
            raise
        raise UsageError("D0708", f"in one file these do not go together: {problem}", _BY_TITLE) from None
    click.echo(f"{output}: {plural(len(parcel.files), 'file')}, the rules of {choice.title}")
    click.echo(f"Play it: dragonrules run {output.name}{asked}")


def _titles(choice: Choice) -> list[str]:
    """The variants as they will be asked for, those that come with dragonrules too."""
    from ...interpreter.driver import DRIVER
    from ...interpreter.files.find_variants import find_variant

    out = []
    for name in choice.all_variants:
        file, title = find_variant(choice.path, name)
        out.append(title or str(DRIVER.parsed(file).variants[0].name))
    return out
