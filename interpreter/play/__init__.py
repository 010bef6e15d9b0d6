"""Matches: state, decisions, views, reasons, scenarios, saves."""
