"""Games for other people's tools: actions and observations as numbers, and a thin shell for each library."""
