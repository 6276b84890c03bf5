"""Graph passes: analyses and transformations of graphs."""

from minitorch.core.lazy import lazy_attributes

__getattr__ = lazy_attributes(__name__, "graph_manipulation", "infra", "shape_prop", "split_module")
