"""The games of these tests are also played by the reference interpreter."""

from __future__ import annotations

from ..differential.alongside import both_interpreters_agree

__all__ = ["both_interpreters_agree"]
