"""Graph passes: analyses and transformations of graphs."""

from minitorch.namespace.lazy_modules import lazy_modules

__getattr__ = lazy_modules(__name__, "graph_manipulation", "infra", "shape_prop", "split_module")
