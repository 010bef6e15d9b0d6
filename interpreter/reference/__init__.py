"""The reference interpreter: what the language means, executable.

A plain walk over the checked game, without lowering, layout or generated code.
It is slow and meant to be read: each statement is a generator that yields
whenever somebody, or chance, has to decide; each place is an object with its
contents; every ending is looked at behind every effect. It shares nothing with
the back end but the checked game and the generator of random numbers, because
it is what the back end is held against (tests/differential).

- `table` is what lies on the table; `spaces` are boards.
- `expressions` and `comprehensions` work out values.
- `choices` finds what can be chosen, also in the headers of actions; `vectors`
  does so cell by cell.
- `statements`, `control`, `loops`, `moving`, `asking` and `chance` carry rules out.
- `events` has triggers, lifetimes and endings.
- `seeing` knows who sees what; `match` is the way in.

Values are plain: numbers, kinds and players (from 0) and components are whole
numbers, spaces are pairs `(x, y)`, sets are tuples in the order of the language,
`none` is None, and a place is the `Place` itself.
"""

from .match import ReferenceMatch

__all__ = ["ReferenceMatch"]
