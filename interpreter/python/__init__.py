"""The Python back end: the rule program as Python source, one function a block."""
