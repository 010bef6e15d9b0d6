"""Pictures of rules: the graph of phases, menus, actions, rules and triggers, drawn without any other program."""

from .picture import Picture as Picture
from .picture import picture as picture
from .to_dot import to_dot as to_dot
from .to_mermaid import to_mermaid as to_mermaid
from .to_svg import to_svg as to_svg
