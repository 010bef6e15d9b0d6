"""The whole syntax tree under one name: `from . import syntax`."""

from .declarations import *  # noqa: F403
from .expressions import *  # noqa: F403
from .nodes import Node as Node
from .statements import *  # noqa: F403
