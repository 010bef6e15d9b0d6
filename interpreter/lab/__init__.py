"""The laboratory: many games of one rule set, what they were like, and how two rule sets differ.

`playing` plays one game and measures it, `runs` plays many on one machine and
`cluster` on several, `measures` turns games into figures, `statistics` says
how sure they are, `comparing` and `sweeping` hold rule sets against each
other, and the rest writes results down. Nothing here prints.
"""
