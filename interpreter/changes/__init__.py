"""What differs between two rule sets: as data, in sentences, and as the text of one game."""
