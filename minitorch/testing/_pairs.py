"""Pairs of values that are neither containers nor tensors: None, bools, numbers.

Each kind of pair is a subclass of `Pair`. Its constructor raises `UnsupportedInputs` if it does not
support the values, and reports invalid tolerances, so both happen before any comparison. Programs
derive their own kinds and override `_process_inputs` or `compare`.
"""

import abc
import cmath

import numpy as np

from minitorch.core.dtype import _dtypes
from minitorch.testing._error_meta import ErrorMeta, UnsupportedInputs
from minitorch.testing._tolerance import get_tolerances, make_scalar_mismatch_msg


class Pair(abc.ABC):
    """Two values to compare.

    Parameters
    ----------
    actual, expected : object
    id : tuple
        The indices and keys that lead to the values.
    **unknown_parameters
        Options of other kinds of pairs; each kind uses those that it knows.
    """

    def __init__(self, actual, expected, *, id=(), **unknown_parameters):
        self.actual = actual
        self.expected = expected
        self.id = id
        self._unknown_parameters = unknown_parameters

    @staticmethod
    def _inputs_not_supported():
        raise UnsupportedInputs

    @staticmethod
    def _check_inputs_isinstance(*inputs, cls):
        if not all(isinstance(value, cls) for value in inputs):
            raise UnsupportedInputs

    def _fail(self, type, msg, *, id=()):
        """Raise `ErrorMeta`; pass `id` if `Pair.__init__` has not been called yet."""
        raise ErrorMeta(type, msg, id=id or getattr(self, "id", ()))

    @abc.abstractmethod
    def compare(self):
        """Raise `ErrorMeta` if the values are not close."""

    def extra_repr(self):
        """Return names of attributes, or (name, value) pairs, to show in the repr."""
        return []

    def __repr__(self):
        shown = [(name, getattr(self, name)) for name in ("id", "actual", "expected")]
        for extra in self.extra_repr():
            shown.append((extra, getattr(self, extra)) if isinstance(extra, str) else extra)
        lines = [f"    {name}={value!s}," for name, value in shown]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])


class ObjectPair(Pair):
    """Two objects, compared by ``==``."""

    def compare(self):
        try:
            equal = self.actual == self.expected
        except Exception as error:
            raise ErrorMeta(
                ValueError, f"{self.actual} == {self.expected} failed with:\n{error}.", id=self.id
            ) from error
        if not equal:
            self._fail(AssertionError, f"{self.actual} != {self.expected}")


class NonePair(Pair):
    """Two values, at least one of which is None."""

    def __init__(self, actual, expected, **other_parameters):
        if actual is not None and expected is not None:
            self._inputs_not_supported()
        super().__init__(actual, expected, **other_parameters)

    def compare(self):
        if self.actual is not self.expected:
            self._fail(AssertionError, f"None mismatch: {self.actual} is not {self.expected}")


class BooleanPair(Pair):
    """Two bools of Python or NumPy."""

    _supported_types = (bool, np.bool_)

    def __init__(self, actual, expected, *, id, **other_parameters):
        actual, expected = self._process_inputs(actual, expected, id=id)
        # as in PyTorch, the message does not contain the path of the item
        super().__init__(actual, expected, **other_parameters)

    def _process_inputs(self, actual, expected, *, id):
        self._check_inputs_isinstance(actual, expected, cls=self._supported_types)
        return self._to_bool(actual, id=id), self._to_bool(expected, id=id)

    def _to_bool(self, bool_like, *, id):
        if not isinstance(bool_like, self._supported_types):
            raise ErrorMeta(TypeError, f"Unknown boolean type {type(bool_like)}.", id=id)
        return bool(bool_like)

    def compare(self):
        if self.actual is not self.expected:
            self._fail(AssertionError, f"Booleans mismatch: {self.actual} is not {self.expected}")


class NumberPair(Pair):
    """Two numbers of Python or NumPy; default tolerances follow from `_TYPE_TO_DTYPE`."""

    _TYPE_TO_DTYPE = {
        int: _dtypes()["int64"],
        float: _dtypes()["float64"],
        complex: _dtypes()["complex128"],
    }
    _NUMBER_TYPES = tuple(_TYPE_TO_DTYPE)
    _supported_types = (*_NUMBER_TYPES, np.number)

    def __init__(
        self,
        actual,
        expected,
        *,
        id=(),
        rtol=None,
        atol=None,
        equal_nan=False,
        check_dtype=False,
        **other_parameters,
    ):
        actual, expected = self._process_inputs(actual, expected, id=id)
        super().__init__(actual, expected, id=id, **other_parameters)
        dtypes = [self._TYPE_TO_DTYPE[type(value)] for value in (actual, expected)]
        self.rtol, self.atol = get_tolerances(*dtypes, rtol=rtol, atol=atol, id=id)
        self.equal_nan = equal_nan
        self.check_dtype = check_dtype

    def _process_inputs(self, actual, expected, *, id):
        self._check_inputs_isinstance(actual, expected, cls=self._supported_types)
        return self._to_number(actual, id=id), self._to_number(expected, id=id)

    def _to_number(self, number_like, *, id):
        if isinstance(number_like, np.number):
            return number_like.item()
        if not isinstance(number_like, self._NUMBER_TYPES):
            raise ErrorMeta(TypeError, f"Unknown number type {type(number_like)}.", id=id)
        return number_like

    def compare(self):
        a, e = self.actual, self.expected
        if self.check_dtype and type(a) is not type(e):
            self._fail(AssertionError, f"The (d)types do not match: {type(a)} != {type(e)}.")
        if a == e or (self.equal_nan and cmath.isnan(a) and cmath.isnan(e)):
            return
        distance = abs(a - e)
        if not (cmath.isfinite(distance) and distance <= self.atol + self.rtol * abs(e)):
            text = make_scalar_mismatch_msg(a, e, rtol=self.rtol, atol=self.atol)
            self._fail(AssertionError, text)

    def extra_repr(self):
        return ("rtol", "atol", "equal_nan", "check_dtype")
