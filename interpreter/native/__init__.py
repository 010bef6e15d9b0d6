"""The native back end: machine code made from the rule program, in memory, without a compiler."""
