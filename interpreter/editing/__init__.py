"""What an editor wants to know about rule files: offsets in, plain data out. No protocol, no screen."""
