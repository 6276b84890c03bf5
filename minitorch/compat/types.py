"""Type aliases for arguments, as in ``torch.types``."""

import builtins
import os
from collections.abc import Sequence
from typing import IO, TypeAlias

from minitorch._tensor import Tensor
from minitorch.core.dtype import dtype as _dtype  # noqa: F401 (names to import)
from minitorch.core.types import Size
from minitorch.core.types import device as _device
from minitorch.core.types import layout as _layout  # noqa: F401
from minitorch.core.types import qscheme as _qscheme  # noqa: F401
from minitorch.core.untyped_storage import UntypedStorage as Storage

__all__ = ["Device", "FileLike", "Number", "Storage"]

_TensorOrOptionalTensors: TypeAlias = Tensor | Sequence[Tensor | None]
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_TensorOrTensorsOrGradEdge: TypeAlias = _TensorOrTensors
_int, _float, _bool, _complex = builtins.int, builtins.float, builtins.bool, builtins.complex
_str, _bytes = builtins.str, builtins.bytes
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
Device: TypeAlias = _device | str | int | None
