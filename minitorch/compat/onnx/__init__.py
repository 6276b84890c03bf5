"""Export to ONNX, which is absent; registered symbolic functions are stored."""

import enum
import re

from minitorch.core.lazy import lazy_attributes
from minitorch.namespace.absent import Absent, absent
from minitorch.version import __version__ as producer_version

__all__ = [
    "ONNXProgram",
    "OnnxExporterError",
    "OperatorExportTypes",
    "TensorProtoDataType",
    "TrainingMode",
    "export",
    "is_in_onnx_export",
    "producer_version",
    "register_custom_op_symbolic",
    "unregister_custom_op_symbolic",
]

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*::[a-zA-Z0-9_]+")
_symbolic: dict = {}  # (name, opset) -> symbolic function


class TrainingMode(enum.IntEnum):
    """The mode in which a model is exported."""

    EVAL, PRESERVE, TRAINING = range(3)


class OperatorExportTypes(enum.IntEnum):
    """The treatment of operators that ONNX does not have in an export."""

    ONNX, ONNX_ATEN, ONNX_ATEN_FALLBACK, ONNX_FALLTHROUGH = range(4)


TensorProtoDataType = enum.IntEnum(  # type: ignore[misc]
    "TensorProtoDataType",
    "UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64 "
    "COMPLEX64 COMPLEX128 BFLOAT16 FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ",
    start=0,
)


class OnnxExporterError(RuntimeError):
    """An error during export."""


class ONNXProgram(Absent):
    """An exported model; absent."""


def is_in_onnx_export():
    """Return False: no model is being exported."""
    return False


export = absent("torch.onnx.export")


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """Store the symbolic function of an operator; it is never called.

    Parameters
    ----------
    symbolic_name : str
        ``domain::name``.
    symbolic_fn : callable
    opset_version : int

    Raises
    ------
    OnnxExporterError
        If the name does not have the form ``domain::name``.
    """
    if not _NAME.fullmatch(symbolic_name):
        raise OnnxExporterError(
            f"Failed to register operator {symbolic_name}. The symbolic name must match the format "
            "domain::name, and should start with a letter and contain only alphanumeric characters"
        )
    _symbolic[symbolic_name, opset_version] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    """Remove a function registered with `register_custom_op_symbolic`."""
    _symbolic.pop((symbolic_name, opset_version), None)


__getattr__ = lazy_attributes(__name__, "symbolic_helper", "symbolic_opset9")
