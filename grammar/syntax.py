"""The whole syntax tree under one name: `from . import syntax`."""

from .declarations import *
from .expressions import *
from .nodes import Node as Node
from .scenario_nodes import *
from .statements import *
