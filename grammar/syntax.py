"""The whole syntax tree under one name: `from . import syntax`."""

from .declarations import *
from .expressions import *
from .nodes import Node as Node
from .overlay_nodes import *
from .scenario_nodes import *
from .statements import *
