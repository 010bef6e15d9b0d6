"""The language server: a shell that speaks the protocol and asks `interpreter/editing`."""
