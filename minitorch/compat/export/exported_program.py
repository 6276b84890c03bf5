"""`ExportedProgram` under its module's name."""

from minitorch.export import ExportedProgram

__all__ = ["ExportedProgram"]
