"""`dragonrules upgrade`: rule files with older ways of saying things, said the newer way."""

from __future__ import annotations

import click

from ...grammar import Report, Source, format_source
from ..options.helping import examples, plural
from ..rules.files import spec_files

EPILOG = examples(
    "dragonrules upgrade my_game.dragon",
    "dragonrules upgrade --diff games",
)
OLD_FORMS = ("D0516",)


@click.command("upgrade", epilog=EPILOG, short_help="Rewrite older forms in the newer way.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--diff", is_flag=True, help="Change nothing; print what would change.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], diff: bool) -> None:
    """Rewrite what rule files say in an older way, in place, and lay them out.

    The rules mean the same as before. `validate` notes what would be rewritten (D0516).
    Files with errors are left alone, apart from what can be told in spite of them.
    With --diff, exit code 1 if something would change.
    """
    from ..rules.fixing import difference, mended, write

    files = spec_files(paths)
    done = mended(files, OLD_FORMS)
    texts = {}
    for path, text in done.texts.items():
        texts[path] = format_source(Source(str(path), text), Report()) or text
    if diff:
        click.echo(difference(texts), nl=False)
        ctx.exit(int(bool(texts)))
    write(texts)
    for path in texts:
        click.echo(f"upgraded {path}", err=True)
    click.echo(f"{plural(done.fixes, 'place')} in {plural(len(texts), 'file')}", err=True)
