"""Pairs of tensors, or of objects of related types that can be converted to tensors."""

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.functions.from_data import as_tensor
from minitorch.autograd.functions.namespace import promote_types
from minitorch.autograd.grad_mode import no_grad
from minitorch.composed.comparisons import isclose
from minitorch.core.dtype import _dtypes
from minitorch.core.types import sparse_coo, strided
from minitorch.testing._error_meta import ErrorMeta
from minitorch.testing._pairs import Pair
from minitorch.testing._tolerance import get_tolerances, make_scalar_mismatch_msg, report


class TensorLikePair(Pair):
    """Two tensors; their attributes are compared first, then their values."""

    def __init__(
        self,
        actual,
        expected,
        *,
        id=(),
        allow_subclasses=True,
        rtol=None,
        atol=None,
        equal_nan=False,
        check_device=True,
        check_dtype=True,
        check_layout=True,
        check_stride=False,
        **other_parameters,
    ):
        actual, expected = self._process_inputs(
            actual, expected, id=id, allow_subclasses=allow_subclasses
        )
        super().__init__(actual, expected, id=id, **other_parameters)
        self.rtol, self.atol = get_tolerances(actual, expected, rtol=rtol, atol=atol, id=id)
        self.equal_nan = equal_nan
        self.check_device = check_device
        self.check_dtype = check_dtype
        self.check_layout = check_layout
        self.check_stride = check_stride

    def _process_inputs(self, actual, expected, *, id, allow_subclasses):
        if not (isinstance(actual, type(expected)) or isinstance(expected, type(actual))):
            self._inputs_not_supported()
        if not allow_subclasses and type(actual) is not type(expected):
            self._inputs_not_supported()
        tensors = self._to_tensor(actual), self._to_tensor(expected)
        for tensor in tensors:
            self._check_supported(tensor, id=id)
        return tensors

    def _to_tensor(self, tensor_like):
        if isinstance(tensor_like, Tensor):
            return tensor_like
        try:
            return as_tensor(tensor_like)
        except (TypeError, ValueError, RuntimeError):
            self._inputs_not_supported()

    def _check_supported(self, tensor, *, id):
        if tensor.layout not in (strided, sparse_coo):
            raise ErrorMeta(ValueError, f"Unsupported tensor layout {tensor.layout}", id=id)

    def compare(self):
        self._compare_attributes(self.actual, self.expected)
        if "meta" in (self.actual.device.type, self.expected.device.type):
            return
        with no_grad():
            self._compare_values(*self._equalize_attributes(self.actual, self.expected))

    def _compare_attributes(self, actual, expected):
        for name, ours, theirs in self._compared_attributes(actual, expected):
            if ours != theirs:
                text = f"The values for attribute '{name}' do not match: {ours} != {theirs}."
                self._fail(AssertionError, text)

    def _compared_attributes(self, actual, expected):
        yield "shape", actual.shape, expected.shape
        if self.check_layout:
            yield "layout", actual.layout, expected.layout
        if self.check_stride and actual.layout is expected.layout is strided:
            yield "stride()", actual.stride(), expected.stride()
        if self.check_device:
            yield "device", actual.device, expected.device
        if self.check_dtype:
            yield "dtype", actual.dtype, expected.dtype

    def _equalize_attributes(self, actual, expected):
        """Convert both to the CPU and the promoted dtype, and to dense unless both are sparse."""
        if actual.device != expected.device:
            actual, expected = actual.cpu(), expected.cpu()
        if actual.dtype is not expected.dtype:
            common = promote_types(_signed(actual.dtype), _signed(expected.dtype))
            actual, expected = actual.to(common), expected.to(common)
        if actual.layout is not expected.layout:
            actual, expected = actual.to_dense(), expected.to_dense()
        return actual, expected

    def _compare_values(self, actual, expected):
        tolerances = {"rtol": self.rtol, "atol": self.atol, "equal_nan": self.equal_nan}
        if actual.is_sparse:
            self._compare_sparse_coo_values(actual, expected, **tolerances)
        else:
            self._compare_regular_values_close(actual, expected, **tolerances)

    def _compare_sparse_coo_values(self, actual, expected, *, rtol, atol, equal_nan):
        counts = (
            ("sparse dimensions", actual.sparse_dim(), expected.sparse_dim()),
            ("specified values", actual._nnz(), expected._nnz()),
        )
        for what, ours, theirs in counts:
            if ours != theirs:
                text = (
                    f"The number of {what} in sparse COO tensors does not match: {ours} != {theirs}"
                )
                self._fail(AssertionError, text)
        self._compare_regular_values_equal(
            actual._indices(), expected._indices(), identifier="Sparse COO indices"
        )
        self._compare_regular_values_close(
            actual._values(),
            expected._values(),
            rtol=rtol,
            atol=atol,
            equal_nan=equal_nan,
            identifier="Sparse COO values",
        )

    def _compare_regular_values_equal(self, actual, expected, *, equal_nan=False, identifier=None):
        self._compare_regular_values_close(
            actual, expected, rtol=0, atol=0, equal_nan=equal_nan, identifier=identifier
        )

    def _compare_regular_values_close(
        self, actual, expected, *, rtol, atol, equal_nan, identifier=None
    ):
        if "float8" in repr(actual.dtype) and "float8" in repr(expected.dtype):
            self._compare_bits(actual, expected, rtol, atol)
            return
        close = isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
        if close.all():
            return
        options = {"rtol": rtol, "atol": atol, "identifier": identifier}
        if actual.dim() == 0:
            text = make_scalar_mismatch_msg(actual.item(), expected.item(), **options)
        else:
            text = make_tensor_mismatch_msg(actual, expected, close, **options)
        self._fail(AssertionError, text)

    def _compare_bits(self, actual, expected, rtol, atol):
        if rtol or atol:
            self._fail(
                AssertionError,
                f"Rtol={rtol} and atol={atol} are not supported for bitwise comparison of low dimensional "
                "floats. Please use rtol=0.0 and atol=0.0.",
            )
        byte = _dtypes()["uint8"]
        differ = actual.reshape(-1).view(byte) != expected.reshape(-1).view(byte)
        wrong, total = int(differ.sum()), differ.numel()
        if wrong:
            index = tuple(differ.reshape(actual.shape).nonzero()[0].tolist())
            self._fail(
                AssertionError,
                f"Tensor-likes are not 'equal'!\n\nMismatched elements: {wrong} / {total} "
                f"({wrong / total:.1%})\nThe first mismatched element is at index {index}.",
            )

    def extra_repr(self):
        checks = ("check_device", "check_dtype", "check_layout", "check_stride")
        return ("rtol", "atol", "equal_nan", *checks)


def _signed(dtype):
    """Return int64 for wide unsigned dtypes, which do not promote with others."""
    return _dtypes()["int64"] if repr(dtype)[:10] == "torch.uint" and dtype.itemsize > 1 else dtype


def make_tensor_mismatch_msg(actual, expected, matches, *, rtol, atol, identifier=None):
    """Return the message for two tensors that differ; `matches` is the mask of close elements."""
    total, wrong = matches.numel(), int((~matches).sum())
    if not (actual.is_floating_point() or actual.is_complex()):
        actual, expected = actual.to(_dtypes()["int64"]), expected.to(_dtypes()["int64"])
    absolute = (actual - expected).abs()
    absolute[matches] = 0
    relative = absolute / expected.abs()
    relative[matches] = 0
    rows = []
    for kind, differences, tolerance in (
        ("absolute", absolute, atol),
        ("relative", relative, rtol),
    ):
        largest, at = differences.flatten().max(0)
        index = tuple(int(k) for k in np.unravel_index(int(at), tuple(matches.shape)))
        rows.append((kind, largest.item(), index, tolerance))
    detail = f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})"
    return report("Tensor-likes", identifier, detail, rows, rtol, atol)
