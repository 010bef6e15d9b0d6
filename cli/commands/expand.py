"""`dragonrules expand`: the game that variants make, as a rule file of its own."""

from __future__ import annotations

import click

from ..options.helping import examples
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    'dragonrules expand drakon --variant "Heroes!"',
    "dragonrules expand drakon --variant tonight.dragon --set goal=8 > tonight_in_full.dragon",
    "dragonrules expand games/variants/drakon_heroes.dragon --no-comments",
)


@click.command("expand", epilog=EPILOG, short_help="Print the game that a variant makes.")
@game_options
@click.option(
    "--comments/--no-comments", default=True, help="Note in comments what each variant has changed."
)
def command(choice: Choice, comments: bool) -> None:
    """Print the game that variants and options make of a base game, as a rule file of its own.

    The text of the base stays, with its comments; what a variant changes stands
    where the old text stood. Scenarios of the base are left out, since they may
    not hold any more; those of the variant are taken along. The result is a whole
    game with the same rules: it can be checked, played and changed further.
    """
    from ..options.overlaid import as_it_is, laid

    if not choice.all_variants and not choice.options:
        click.echo(as_it_is(choice), nl=False)
        return
    result = laid(choice)
    click.echo(result.text_with_notes if comments else result.text, nl=False)
