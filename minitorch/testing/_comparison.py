"""`assert_close`: walk two structures side by side, then compare their leaves.

The walk comes first and whole: structures that do not match, values that nothing can compare and wrong
tolerances are reported before any two values are, wherever they stand.
"""

import warnings
from collections.abc import Mapping, Sequence

from minitorch._tensor import Tensor
from minitorch.autograd.functions.from_data import tensor
from minitorch.testing._leaves import KINDS
from minitorch.testing._mismatch import Mismatch
from minitorch.testing._tolerance import default_tolerances

_LOOSER = {
    "torch.float16": (1e-3, 1e-3),
    "torch.float32": (1e-4, 1e-5),
    "torch.float64": (1e-5, 1e-8),
}


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
):
    """Assert that two values are close: ``|actual - expected| <= atol + rtol |expected|``.

    Parameters
    ----------
    actual, expected : object
        Tensors, numbers, truth values, None, what tensors can be made of, or sequences and mappings of
        those.
    allow_subclasses : bool, default True
        Whether the types may differ when one is a subclass of the other.
    rtol, atol : float, optional
        Both or none; by default they follow from the dtypes.

        ============================  ========  ========
        dtype                         `rtol`    `atol`
        ============================  ========  ========
        float16                       1e-3      1e-5
        bfloat16                      1.6e-2    1e-5
        float32, complex64            1.3e-6    1e-5
        float64, complex128           1e-7      1e-7
        others                        0         0
        ============================  ========  ========
    equal_nan : bool, default False
        Whether nan is close to nan.
    check_device, check_dtype, check_layout : bool, default True
        Whether these must be equal. Tensors of different dtypes are compared in the promoted one.
    check_stride : bool, default False
        Whether the strides must be equal.
    msg : str or callable, optional
        The text of the error, or a function that makes it from the text there would be.

    Raises
    ------
    AssertionError
        When they are not close. Of several values in a structure, the first is named.
    TypeError
        When nothing can compare the two.
    ValueError
        When one tolerance is given without the other.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.testing.assert_close(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0 + 1e-7]))
    >>> torch.testing.assert_close({"loss": 1.0}, {"loss": 1.5})
    Traceback (most recent call last):
    ...
    AssertionError: Scalars are not close!
    <BLANKLINE>
    Expected 1.5 but got 1.0.
    Absolute difference: 0.5 (up to 1e-07 allowed)
    Relative difference: 0.3333333333333333 (up to 1e-07 allowed)
    <BLANKLINE>
    The failure occurred for item ['loss']
    """
    __tracebackhide__ = True
    options = {
        "allow_subclasses": allow_subclasses,
        "rtol": rtol,
        "atol": atol,
        "equal_nan": equal_nan,
        "check_device": check_device,
        "check_dtype": check_dtype,
        "check_layout": check_layout,
        "check_stride": check_stride,
    }
    try:
        checks = list(_walk(actual, expected, (), options))
    except Mismatch as mismatch:
        # not the values are wrong but the question: the user's text would hide that
        raise mismatch.final(None) from None
    for check in checks:
        try:
            check()
        except Mismatch as mismatch:
            failure = mismatch.final(msg)
        else:
            continue
        raise failure


def _walk(actual, expected, where, options):
    """The checks of all pairs of leaves."""
    both = (actual, expected)
    if all(isinstance(v, Sequence) and not isinstance(v, str) for v in both):
        if len(actual) != len(expected):
            raise Mismatch(
                f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", where
            )
        for k in range(len(actual)):
            yield from _walk(actual[k], expected[k], (*where, k), options)
    elif all(isinstance(v, Mapping) for v in both):
        for key in _common_keys(actual, expected, where):
            yield from _walk(actual[key], expected[key], (*where, key), options)
    else:
        for kind in KINDS:
            check = kind(actual, expected, where, options)
            if check is not None:
                yield check
                return
        raise Mismatch(
            f"No comparison pair was able to handle inputs of type {type(actual)} and "
            f"{type(expected)}.",
            where,
            TypeError,
        )


def _common_keys(actual, expected, where):
    missing, additional = set(expected) - set(actual), set(actual) - set(expected)
    if missing or additional:
        raise Mismatch(
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {sorted(missing)}\n"
            f"Additional keys in the actual mapping: {sorted(additional)}",
            where,
        )
    try:
        return sorted(actual)
    except TypeError:
        return list(actual)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """The older `assert_close`: dtypes may differ, and the default tolerances are wider.

    Parameters
    ----------
    actual, expected : Tensor or what a tensor can be made of
    rtol, atol : float, optional
    equal_nan : bool, default True
    msg : str, default ""
    """
    __tracebackhide__ = True
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future "
        "release. Please use `torch.testing.assert_close()` instead. You can find detailed upgrade "
        "instructions in https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
        stacklevel=2,
    )
    if not isinstance(actual, Tensor):
        actual = tensor(actual)
    if not isinstance(expected, Tensor):
        expected = tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        rtol, atol = default_tolerances(actual, expected, table=_LOOSER)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_dtype=False,
        msg=msg or None,
    )
