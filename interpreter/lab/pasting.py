"""A failure as a scenario to paste, and as a log to step through.

The scenario says every choice and every outcome of chance in the words that
players read, so it runs in `dragonrules test` and fails there in the same way;
once the rules are mended it holds, and stays as a test. The log is a save at the
last good position, with one more entry, `failure`: the step that went wrong and
what was said about it.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from attrs import Factory, define

from ..core.errors import DragonError, PlayError
from ..play.match import Match
from ..play.saving import checksum
from ..play.scenario_lines import Writer, quoted, word_for
from .fuzzing import EXPIRE, Failure, Step, plain


@define
class Account:
    """A failure told step by step: words for people, lines for a scenario, a save."""

    steps: list[str] = Factory(list)
    lines: list[str] = Factory(list)
    save: dict[str, Any] | None = None
    repeated: bool = False
    """The watched match has failed too, in the same way."""


def account_of(failure: Failure) -> Account:
    """Play a failure again as a match, with everybody watching."""
    account = Account()
    writer = Writer()
    setting = failure.setting
    try:
        match = setting.game.start(setting.players, chance="ask", check=True)
        steps = _without_end(failure) if failure.by_itself else failure.steps
        for number, (_, value) in enumerate(steps):
            last = number == len(steps) - 1
            if last:
                account.save = match.to_json()
            entry = _take(match, value, account, writer)
            if last and account.save is not None:
                account.save["failure"] = {
                    "entry": entry,
                    "code": failure.code,
                    "message": failure.message,
                    "error": str(failure.error),
                }
                account.save["checksum"] = checksum(account.save)
            _do(match, value)
        if failure.by_itself:
            account.steps.append("and then chance goes on without end")
            for _, value in failure.steps[len(steps) :]:
                match.bring(value)
            account.repeated = match.chance is not None
        if failure.scoring is not None:
            _ = match.scores
    except DragonError as error:
        account.repeated = _same(error, failure)
    except Exception:
        account.repeated = failure.code == "internal error"
    account.lines = writer.done()
    return account


def _without_end(failure: Failure) -> tuple[Step, ...]:
    """The steps of a failure up to the last decision; what follows is chance alone."""
    points = failure.setting.engine.points
    last = max((n for n, (pc, _) in enumerate(failure.steps) if pc in points), default=-1)
    return failure.steps[: last + 1]


def _same(error: DragonError, failure: Failure) -> bool:
    if isinstance(error, PlayError) and isinstance(failure.error, PlayError):
        return error.diagnostic.code == failure.error.diagnostic.code
    return type(error) is type(failure.error)


def _take(match: Match, value: Any, account: Account, writer: Writer) -> list[Any]:
    """Say a step before it is done; gives its entry in the log."""
    if value is EXPIRE:
        account.steps.append("time runs out")
        writer.expire()
        return ["expire"]
    decision = match.decision
    if decision is None:
        index = match.outcome_of(value)
        chance = match.chance
        assert chance is not None
        outcome = chance.outcomes[index][0]
        account.steps.append(f"chance brings {outcome.label}")
        writer.chance(word_for([(o.label, o.key) for o, _ in chance.outcomes], index))
        return ["chance", _plain(outcome.key)]
    index = match.offered.index(value)
    option = decision.options[index]
    account.steps.append(f"player {decision.player} chooses {option.label} ({decision.prompt})")
    writer.choice(decision.player, word_for([(o.label, o.key[-1]) for o in decision.options], index))
    return ["choose", decision.player, _plain(match.key_in_log(index))]


def _do(match: Match, value: Any) -> None:
    if value is EXPIRE:
        match.expire()
    elif match.decision is None:
        match.bring(value)
    else:
        match.choose(match.offered.index(value))


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple | list) else value


def scenario_text(failure: Failure, account: Account, title: str) -> str:
    """The scenario, as it is pasted into the rules in which it fails."""
    setting = failure.setting
    options = "".join(f", {name} = {plain(value)}" for name, value in setting.game.given_options.items())
    out = [f"scenario {quoted(title)} for {setting.players} players{options}:"]
    if account.lines:
        out += ["    when:", *(f"        {line}" for line in account.lines)]
    if failure.scoring is not None:
        score = f"score(player({failure.scoring}))"
        out += ["    then:", f"        check {score} = {score}"]
    elif not account.lines or failure.by_itself:  # to be looked at, chance has to be through
        out += ["    then:", "        check player_count > 0"]
    return "\n".join(out) + "\n"


def scenario_file(failure: Failure, scenario: str, title: str) -> str:
    """A file of its own for a scenario: over the variants in which it fails, if there are any."""
    setting = failure.setting
    if not setting.variants:
        return scenario
    needs = ", ".join(quoted(name) for name in setting.variants)
    header = f"variant {quoted(title)} of {Path(setting.game.spec).stem} needs {needs}:\n"
    return header + textwrap.indent(scenario, "    ")


def write_save(path: Path, account: Account) -> bool:
    """Write the log; False if there is no position to save, because the set-up fails."""
    if account.save is None:
        return False
    path.write_text(json.dumps(account.save, separators=(",", ":")), encoding="utf-8")
    return True
