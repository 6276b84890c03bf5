"""`ExportedProgram` under the module where PyTorch defines it."""

from minitorch.export import ExportedProgram

__all__ = ["ExportedProgram"]
