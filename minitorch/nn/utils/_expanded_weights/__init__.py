"""Per-sample gradients, by parameters that replace a module's own during one call."""

from minitorch.core.lazy import lazy_attributes
from minitorch.nn.utils._expanded_weights import layers, recurrent  # noqa: F401 (they register)
from minitorch.nn.utils._expanded_weights.expanded_weights_impl import ExpandedWeight

__all__ = ["ExpandedWeight"]

__getattr__ = lazy_attributes(__name__, "expanded_weights_impl", "expanded_weights_utils")
