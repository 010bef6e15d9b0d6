"""The rule program: rules cut where they wait, small instructions, no word of Python."""
