"""`assert_close`: pair up the leaves of two structures, then compare them.

All leaves are paired before any is compared. So mismatched structures, unsupported values and
invalid tolerances are reported first, wherever they occur.
"""

import warnings
from collections.abc import Mapping, Sequence

from minitorch._tensor import Tensor
from minitorch.autograd.functions.from_data import tensor
from minitorch.testing._error_meta import ErrorMeta, UnsupportedInputs, item_path
from minitorch.testing._pairs import BooleanPair, NonePair, NumberPair, ObjectPair, Pair
from minitorch.testing._tensor_pair import TensorLikePair, make_tensor_mismatch_msg
from minitorch.testing._tolerance import (
    default_tolerances,
    get_tolerances,
    make_scalar_mismatch_msg,
)

__all__ = [
    "BooleanPair",
    "ErrorMeta",
    "NonePair",
    "NumberPair",
    "ObjectPair",
    "Pair",
    "TensorLikePair",
    "UnsupportedInputs",
    "assert_allclose",
    "assert_close",
    "default_tolerances",
    "get_tolerances",
    "make_scalar_mismatch_msg",
    "make_tensor_mismatch_msg",
    "not_close_error_metas",
    "originate_pairs",
]

_UNEXPECTED = (
    "{}\n\nresulted in the unexpected exception above. If you are a user and see this message during "
    "normal operation please file an issue at https://github.com/pytorch/pytorch/issues. If you are a "
    "developer and working on the comparison functions, please except the previous error and raise an "
    "expressive `ErrorMeta` instead."
)

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
        Tensors, numbers, bools, None, objects that can be converted to tensors, or sequences and
        mappings of those.
    allow_subclasses : bool, default True
        Whether the types may differ if one is a subclass of the other.
    rtol, atol : float, optional
        The tolerances; give both or neither. The defaults depend on the dtypes.

        ============================  ========  ========
        dtype                         `rtol`    `atol`
        ============================  ========  ========
        float16, complex32            1e-3      1e-5
        bfloat16                      1.6e-2    1e-5
        float32, complex64            1.3e-6    1e-5
        float64, complex128           1e-7      1e-7
        others                        0         0
        ============================  ========  ========
    equal_nan : bool, default False
        Whether nan equals nan.
    check_device, check_dtype, check_layout : bool, default True
        Whether these properties must be equal. Tensors of different dtypes are compared in the
        promoted dtype.
    check_stride : bool, default False
        Whether the strides must be equal.
    msg : str or callable, optional
        The error message, or a function that returns it from the default message.

    Raises
    ------
    AssertionError
        If the values are not close. For structures, the message names the first such item.
    TypeError
        If no kind of pair supports the values.
    ValueError
        If only one tolerance is given.

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
    failures = not_close_error_metas(
        actual,
        expected,
        pair_types=(NonePair, BooleanPair, NumberPair, TensorLikePair),
        allow_subclasses=allow_subclasses,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_device=check_device,
        check_dtype=check_dtype,
        check_layout=check_layout,
        check_stride=check_stride,
    )
    if failures:
        raise failures[0].to_error(msg)


def _unwrap_dtensor_for_comparison(actual, expected):
    """Return the two values, since there are no distributed tensors to gather."""
    return actual, expected


def not_close_error_metas(
    actual,
    expected,
    *,
    pair_types=(ObjectPair,),
    sequence_types=(Sequence,),
    mapping_types=(Mapping,),
    **options,
):
    """Return the failures of all pairs of leaves, as a list of `ErrorMeta`.

    Mismatched structures and unsupported leaves raise an exception at once, without the text of
    `msg`.
    """
    __tracebackhide__ = True
    try:
        pairs = originate_pairs(
            actual,
            expected,
            pair_types=pair_types,
            sequence_types=sequence_types,
            mapping_types=mapping_types,
            **options,
        )
    except ErrorMeta as wrong_question:
        raise wrong_question.to_error() from None
    return [failure for pair in pairs if (failure := _failure_of(pair)) is not None]


def _failure_of(pair):
    """Return the `ErrorMeta` of a pair, or None if its values are close."""
    try:
        pair.compare()
    except ErrorMeta as failure:
        # the frames of its traceback would keep the tensors alive
        return failure.with_traceback(None)
    except Exception as error:
        raise RuntimeError(_UNEXPECTED.format(f"Comparing\n\n{pair}")) from error
    return None


def originate_pairs(
    actual,
    expected,
    *,
    pair_types,
    sequence_types=(Sequence,),
    mapping_types=(Mapping,),
    id=(),
    **options,
):
    """Return the pairs of leaves of two structures.

    Each leaf becomes a pair of the first type in `pair_types` that supports it.
    """
    walk = {
        "pair_types": pair_types,
        "sequence_types": sequence_types,
        "mapping_types": mapping_types,
        **options,
    }
    both = (actual, expected)
    if all(isinstance(v, sequence_types) and not isinstance(v, str) for v in both):
        if len(actual) != len(expected):
            text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            raise ErrorMeta(AssertionError, text, id=id)
        keys = range(len(actual))
    elif all(isinstance(v, mapping_types) for v in both):
        keys = _common_keys(actual, expected, id)
    else:
        return [_pair_of(actual, expected, pair_types, id, options)]
    return [p for k in keys for p in originate_pairs(actual[k], expected[k], id=(*id, k), **walk)]


def _pair_of(actual, expected, pair_types, id, options):
    for kind in pair_types:
        try:
            return kind(actual, expected, id=id, **options)
        except UnsupportedInputs:
            continue
        except ErrorMeta:
            raise
        except Exception as error:
            values = [f"{type(v).__name__}(): {v}" for v in (actual, expected)]
            asked = f"Originating a {kind.__name__}() at item {item_path(id)} with"
            text = f"{asked}\n\n{values[0]}\n\nand\n\n{values[1]}"
            raise RuntimeError(_UNEXPECTED.format(text)) from error
    text = (
        f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}."
    )
    raise ErrorMeta(TypeError, text, id=id)


def _common_keys(actual, expected, id):
    ours, theirs = set(actual.keys()), set(expected.keys())
    missing, additional = theirs - ours, ours - theirs
    if missing or additional:
        text = (
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {sorted(missing)}\n"
            f"Additional keys in the actual mapping: {sorted(additional)}"
        )
        raise ErrorMeta(AssertionError, text, id=id)
    try:
        return sorted(ours)
    except TypeError:
        return list(ours)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """Assert that two tensors are close; deprecated in favor of `assert_close`.

    The dtypes may differ, and the default tolerances are wider.

    Parameters
    ----------
    actual, expected : Tensor or what a tensor can be made of
    rtol, atol : float, optional
    equal_nan : bool, default True
    msg : str, default ""

    Examples
    --------
    >>> import minitorch as torch
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     torch.testing.assert_allclose(torch.tensor([1.0]), [1.000001])
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
        rtol, atol = default_tolerances(actual, expected, dtype_precisions=_LOOSER)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_dtype=False,
        msg=msg or None,
    )
