"""Results with several named parts, such as ``torch.return_types.max``."""

import sys
from collections.abc import Iterable

from minitorch.core.sealed import sealed

_missing = object()
_classes: dict[tuple, type] = {}
# results of PyTorch's operators that are plain tuples there
_PRIVATE = ("_", "nll_loss_forward", "nll_loss2d_forward", "var_mean")
_WITHOUT_OUT = ("histogramdd",)
# the classes that exist so far, as PyTorch lists them
all_return_types: list[type] = []


def result_class(name, fields):
    """Return the tuple class of an operator's results, made once for each name and list of fields.

    Parameters
    ----------
    name : str
        The operator.
    fields : list of str
        The names of its results.
    """
    key = (name, tuple(fields))
    if key not in _classes:
        namespace = {
            "__new__": _new,
            "__slots__": (),
            "__module__": "torch.return_types",
            "__repr__": _repr,
            "__reduce__": lambda self: (result, (name, list(fields), tuple(self))),
            "__match_args__": tuple(fields),
            "n_fields": len(fields),
            "n_sequence_fields": len(fields),
            "n_unnamed_fields": 0,
        }
        for index, field in enumerate(fields):
            namespace[field] = property(lambda self, index=index: self[index])
        _classes[key] = sealed(type(name, (tuple,), namespace))
        setattr(sys.modules[__name__], name, _classes[key])
        if not name.startswith(_PRIVATE):
            all_return_types.append(_classes[key])
            if not name.endswith("_out") and name not in _WITHOUT_OUT:
                result_class(f"{name}_out", fields)
    return _classes[key]


def result(name, fields, values):
    """Return an instance of such a class; pickles call it."""
    return result_class(name, fields)(values)


def _new(cls, sequence=_missing, dict=None):  # the second is there for structseq's signature
    if type(sequence) is tuple and len(sequence) == cls.n_fields:
        return tuple.__new__(cls, sequence)
    if sequence is _missing:
        raise TypeError("structseq() missing required argument 'sequence' (pos 1)")
    if not isinstance(sequence, Iterable):
        raise TypeError("constructor requires a sequence")
    values = tuple(sequence)
    if len(values) != cls.n_fields:
        raise TypeError(
            f"torch.return_types.{cls.__name__}() takes a {cls.n_fields}-sequence ({len(values)}-sequence given)"
        )
    return tuple.__new__(cls, values)


def _repr(self):
    parts = ",\n".join(
        f"{field}={value!r}" for field, value in zip(self.__match_args__, self, strict=True)
    )
    return f"torch.return_types.{type(self).__name__}(\n{parts})"
