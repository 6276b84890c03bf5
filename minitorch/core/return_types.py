"""Results with several named parts, such as ``torch.return_types.max``."""

import sys

_classes: dict[tuple, type] = {}


def result_class(name, fields):
    """The tuple class of an operator's results; made once for each name and field list.

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
            "__slots__": (),
            "__module__": "torch.return_types",
            "__repr__": _repr,
            "__reduce__": lambda self: (result, (name, list(fields), tuple(self))),
            "__match_args__": tuple(fields),
            "_fields": tuple(fields),
            "n_fields": len(fields),
            "n_sequence_fields": len(fields),
            "n_unnamed_fields": 0,
        }
        for index, field in enumerate(fields):
            namespace[field] = property(lambda self, index=index: self[index])
        _classes[key] = type(name, (tuple,), namespace)
        setattr(sys.modules[__name__], name, _classes[key])
    return _classes[key]


def result(name, fields, values):
    """An instance, for pickles."""
    return result_class(name, fields)(values)


def _repr(self):
    parts = ",\n".join(
        f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)
    )
    return f"torch.return_types.{type(self).__name__}(\n{parts})"
