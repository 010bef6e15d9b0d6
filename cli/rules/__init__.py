"""Which rules a command is about, and what is found in them, file by file."""
