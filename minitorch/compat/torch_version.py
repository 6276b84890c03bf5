"""`TorchVersion`, under the module name of PyTorch."""

from minitorch.utils._version_numbers import TorchVersion

__all__ = ["TorchVersion"]
