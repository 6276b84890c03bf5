"""Second names: of operators, of dtypes, and functions that are methods too."""

from minitorch import functional
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods

# second name -> first name
OPERATORS = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
    "arctan": "atan", "arctanh": "atanh", "arctan2": "atan2", "clip": "clamp", "concat": "cat",
    "concatenate": "cat", "divide": "div", "true_divide": "div", "fix": "trunc", "greater": "gt",
    "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne", "multiply": "mul",
    "negative": "neg", "subtract": "sub", "row_stack": "vstack", "ger": "outer",
}  # fmt: skip

# functions of functional.py that are methods too
METHODS = (
    "allclose", "diag", "diag_embed", "diagflat", "diff", "dsplit", "equal", "hsplit", "inner",
    "isclose", "kron", "nonzero", "norm", "tensor_split", "trace", "vsplit",
)  # fmt: skip

DTYPES = {
    "float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64",
    "short": "int16", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip


def dtypes(by_name):
    """The second names of the dtypes."""
    return {alias: by_name[name] for alias, name in DTYPES.items()}


def functions():
    """The functions composed of operators, and the operators under their second names."""
    found = {name: getattr(functional, name) for name in functional.__all__}
    for alias, name in OPERATORS.items():
        if name in tensor_methods.public_functions and alias not in tensor_methods.public_functions:
            found[alias] = getattr(tensor_methods, name)
    return found


def _add_methods():
    for alias, name in OPERATORS.items():
        for suffix in ("", "_"):
            method = getattr(Tensor, name + suffix, None)
            if method is not None and not hasattr(Tensor, alias + suffix):
                setattr(Tensor, alias + suffix, method)
    for name in METHODS:
        setattr(Tensor, name, getattr(functional, name))
    Tensor.where = lambda self, condition, other: functional.where(condition, self, other)
    Tensor.is_nonzero = lambda self: bool(self)


_add_methods()
