"""Schemas and argument values of calls, for observers such as the profiler.

The functions that create tensors are registered here, for observers and the levels of `func.grad`.
"""

from minitorch._dispatch import creation, overloads
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import random as _random
from minitorch.autograd.grad_mode import grad_mode_set_to
from minitorch.autograd.observe import record_functions as _record_functions
from minitorch.autograd.operators import _operator, number_tensor
from minitorch.autograd.special import special_of
from minitorch.core.dtype import _dtypes
from minitorch.tensors.type_info import get_default_dtype


def described(operator, arguments):
    """Return ``(schema, values)`` for a call, with one value per argument, or None if unknown.

    Parameters
    ----------
    operator : Operator or str
        A name refers to a function that creates a tensor; its `arguments` are ``(args, kwargs)``.
    arguments : tuple
    """
    if isinstance(operator, str):
        call = creation.described(operator, *arguments)
    elif arguments and not operator.parameters:  # a composite operator
        call = creation.described(operator.name, arguments, {})
    else:
        call = overloads.described(operator, arguments)
    if call is None:
        return None
    schema = call[0]._schema
    try:
        given = schema.bind(*call[1:3])
    except RuntimeError:
        return None
    return schema, [_value(a, given[a.name]) for a in schema.arguments]


def _value(argument, value):
    if argument.kind == "Tensor" and isinstance(value, (bool, int, float, complex)):
        return number_tensor(value)
    return value


# function -> the row that fills the tensor, and how its arguments follow from the call
_FILLS = {
    "zeros": ("zero", lambda given: ()),
    "ones": ("fill", lambda given: (1.0,)),
    "full": ("fill", lambda given: (given["fill_value"],)),
    "rand": ("uniform", lambda given: (0.0, 1.0, given.get("generator"))),
    "randn": ("normal", lambda given: (0.0, 1.0, given.get("generator"))),
    "randint": (
        "random_from_to",
        lambda given: (given.get("low", 0), given["high"], given.get("generator")),
    ),
}


def steps_of(name, args, kwargs):
    """Create a tensor by ``empty`` and a fill, as PyTorch does; return None if it uses one step.

    Parameters
    ----------
    name : str
        Name of the function, such as ``"ones"``.
    args, kwargs
        Arguments of the call.
    """
    filled = name.removeprefix("new_").removesuffix("_like")
    if filled not in _FILLS or kwargs.get("layout") is not None:
        return None
    call = creation.described(name, args, kwargs)
    if call is None:
        return None
    overload, described, named, requires_grad = call
    given = overload._schema.bind(described, named)
    options = {key: given.get(key) for key in ("dtype", "device", "memory_format")}
    options = {key: value for key, value in options.items() if value is not None}
    model = given.get("self")
    dtype = options["dtype"] = _dtype(name, given, options.get("dtype"))
    if model is not None and (special_of(model) is not None or model.is_sparse):
        return None
    if dtype is None and name == "full" or any(n < 0 for n in given.get("size", ())):
        return None
    if requires_grad and not (dtype is None or dtype.is_floating_point or dtype.is_complex):
        return None
    row, values = _FILLS[filled]
    with grad_mode_set_to(False):
        if model is None:
            made = _creation.empty_(given["size"], **options)
        elif name.startswith("new_"):
            made = _creation.new_empty(model, given["size"], **options)
        else:
            made = _creation.empty_like(model, **options)
        _operator(row, "_")(made, *values(given))
    return made.requires_grad_() if requires_grad else made


def _dtype(name, given, dtype):
    """Return the dtype that PyTorch passes to ``empty``, or None if it passes none."""
    if dtype is not None:
        # the default of randint is the number of a dtype
        return _dtypes()["int64"] if isinstance(dtype, int) else dtype
    if name == "full":
        kinds = {
            bool: _dtypes()["bool"],
            int: _dtypes()["int64"],
            float: get_default_dtype(),
        }
        return kinds.get(type(given["fill_value"]))
    return get_default_dtype() if name == "ones" else None


_MADE = """
    zeros ones full empty_strided empty_permuted scalar_tensor arange linspace logspace eye tril_indices
    triu_indices zeros_like ones_like empty_like full_like new_zeros new_ones new_empty new_full new_empty_strided
"""
_DRAWN = "rand randn randint randperm rand_like randn_like randint_like"
FACTORIES = (
    {name: getattr(_creation, name) for name in _MADE.split()}
    | {name: getattr(_random, name) for name in _DRAWN.split()}
    | {"empty": _creation.empty_}
    | {name: lambda t: t.item() for name in ("item", "_local_scalar_dense")}
)
_record_functions.describe_with(described)
