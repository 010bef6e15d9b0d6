"""From the syntax tree to the checked game: names, types, ranges, what is known where."""
