"""From the checked game to the rule program."""
