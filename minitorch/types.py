"""Names for the types of arguments."""

import builtins
import os
from collections.abc import Sequence
from typing import IO, Any, TypeAlias

from minitorch._tensor import Tensor
from minitorch.core.storage import UntypedStorage as Storage
from minitorch.core.types import Size

__all__ = ["Device", "FileLike", "Number", "Storage"]

_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_TensorOrTensorsOrGradEdge: TypeAlias = _TensorOrTensors
_int, _float, _bool, _complex = builtins.int, builtins.float, builtins.bool, builtins.complex
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_symsize = _size
_dispatchkey: TypeAlias = str
IntLikeType: TypeAlias = int
FloatLikeType: TypeAlias = float
BoolLikeType: TypeAlias = bool
py_sym_types = (int, float, bool)
PySymType: TypeAlias = int | float | bool
Number: TypeAlias = int | float | bool
_Number = (int, float, bool)
FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
Device: TypeAlias = Any
