"""Export of programs, which is absent."""

import enum

from minitorch.core.lazy import lazy_attributes
from minitorch.namespace.absent import Absent, absent

__all__ = [
    "Dim",
    "ExportBackwardSignature",
    "ExportGraphSignature",
    "ExportedProgram",
    "FlatArgsAdapter",
    "ShapesCollection",
    "UnflattenedModule",
    "default_decompositions",
    "export",
    "load",
    "register_dataclass",
    "save",
    "unflatten",
]


class _DimHint(enum.Enum):
    """Hints for sizes without a name."""

    AUTO = enum.auto()
    DYNAMIC = enum.auto()
    STATIC = enum.auto()


class Dim(Absent):
    """A dynamic size; absent."""

    AUTO, DYNAMIC, STATIC = _DimHint


class ExportedProgram(Absent):
    """An exported module with its parameters; absent."""


class ExportBackwardSignature(Absent):
    """Description of which outputs are gradients; absent."""


class ExportGraphSignature(Absent):
    """Description of the inputs and outputs of a program; absent."""


class FlatArgsAdapter(Absent):
    """Adapter for the arguments of a program; absent."""


class ShapesCollection(Absent):
    """Collection of dynamic sizes by tensor; absent."""


class UnflattenedModule(Absent):
    """Module with the original submodules of a program; absent."""


default_decompositions = absent("torch.export.default_decompositions")
export = absent("torch.export.export")
load = absent("torch.export.load")
save = absent("torch.export.save")
unflatten = absent("torch.export.unflatten")


def register_dataclass(cls, *, serialized_type_name=None):
    """Register a dataclass as a pytree node; see `torch.utils._pytree.register_dataclass`."""
    from minitorch.utils._pytree import register_dataclass as register

    register(cls, serialized_type_name=serialized_type_name)


__getattr__ = lazy_attributes(__name__, "exported_program")
