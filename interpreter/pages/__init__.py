"""Pages for readers: rulebook items against rules, diagnostics explained, one look for all HTML."""
