"""Programs of operators made of modules: none is made here."""

import enum

from minitorch.namespace.absent import Absent, absent
from minitorch.namespace.lazy_modules import lazy_modules

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
    """What is said of a size without a name."""

    AUTO = enum.auto()
    DYNAMIC = enum.auto()
    STATIC = enum.auto()


class Dim(Absent):
    """A size that may vary."""

    AUTO, DYNAMIC, STATIC = _DimHint


class ExportedProgram(Absent):
    """The operators of a module, with its parameters."""


class ExportBackwardSignature(Absent):
    """Which results of a program are gradients."""


class ExportGraphSignature(Absent):
    """What a program's inputs and results are to the module."""


class FlatArgsAdapter(Absent):
    """Makes the arguments of a call fit a program."""


class ShapesCollection(Absent):
    """Which sizes vary, by tensor."""


class UnflattenedModule(Absent):
    """A module with the submodules that a program's had."""


default_decompositions = absent("torch.export.default_decompositions")
export = absent("torch.export.export")
load = absent("torch.export.load")
save = absent("torch.export.save")
unflatten = absent("torch.export.unflatten")


def register_dataclass(cls, *, serialized_type_name=None):
    """Make a dataclass a container of tensors, as `torch.utils._pytree.register_dataclass` does."""
    from minitorch.utils._pytree import register_dataclass as register

    register(cls, serialized_type_name=serialized_type_name)


__getattr__ = lazy_modules(__name__, "exported_program")
