"""Rule files: found by name, read once, carried along in saves, kept parsed between runs."""
