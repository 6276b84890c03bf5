"""`opcheck`: checks of an operator against its schema and its registrations."""

import copy
import sys
from itertools import combinations

from minitorch._dispatch.custom_gradients import fallback_mode, set_fallback_mode
from minitorch._dispatch.custom_op import CustomOpDef
from minitorch._dispatch.fake_context import context_of, sizes_from
from minitorch._dispatch.operators import OpOverload, OpOverloadPacket
from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.utils._pytree import tree_leaves, tree_map_only

__all__ = ["OpCheckError", "opcheck"]


class OpCheckError(Exception):
    """Failure of a check in `opcheck`."""


def _error_class():
    """Return `OpCheckError`, or PyTorch's class if its testing modules are loaded on minitorch."""
    tests = sys.modules.get("torch.testing._internal.optests.generate_tests")
    on_this = tests is not None and tests.torch is sys.modules["minitorch"]
    return tests.OpCheckError if on_this else OpCheckError


def _copied(values):
    """Return a copy of nested arguments in which each tensor has its own memory."""

    def copied(x):
        leaf = x.is_leaf
        made = x.detach().clone() if leaf else x.clone()
        return made.requires_grad_(x.requires_grad) if leaf else made

    return tree_map_only(Tensor, copied, values)


def _memory(x):
    return x.untyped_storage().data_ptr() if x.numel() else None


def _shares(left, right):
    """Return whether tensors of two nested values share a storage."""
    places = {_memory(x) for x in tree_leaves(left) if isinstance(x, Tensor)} - {None}
    return any(_memory(x) in places for x in tree_leaves(right) if isinstance(x, Tensor))


def _same(before, after):
    same_layout = before.shape == after.shape and before.stride() == after.stride()
    return same_layout and bool(((before == after) | (before != before)).all())


def _check_schema(op, args, kwargs, **tolerances):
    args, kwargs = _copied((args, kwargs))
    values = op._schema.bind(args, kwargs)
    before = copy.copy(values)
    with no_grad():
        before = _copied(before)
    result = op(*args, **kwargs)
    results = result if isinstance(result, tuple) else (result,)
    for argument in op._schema.arguments:
        name = "input" if argument.name == "self" else argument.name
        value, may_share = values[argument.name], argument.alias_info is not None
        if not may_share and _shares(results, value):
            raise RuntimeError(f"Argument {name} is not defined to alias output but was aliasing")
        pairs = zip(tree_leaves(before[argument.name]), tree_leaves(value), strict=True)
        changed = any(isinstance(b, Tensor) and not _same(b, a) for b, a in pairs)
        if changed and not argument.is_write:
            raise RuntimeError(f"Argument {name} is not defined as mutable but was mutated")
    declared = op._schema.returns
    for i, j in combinations(range(min(len(declared), len(results))), 2):
        if _shares(results[i], results[j]) and not (
            declared[i].alias_info and declared[j].alias_info
        ):
            raise RuntimeError(f"Outputs {i} and {j} alias unexpectedly")


def _has_autograd_kernel(op):
    kernels = op._kernels
    if kernels is None:  # an operator of PyTorch's own
        return True
    keys = "AutogradCPU", "Autograd", "CompositeImplicitAutograd"
    return kernels.formula is not None or any(key in kernels for key in keys)


def _check_autograd_registration(op, args, kwargs, **tolerances):
    args, kwargs = _copied((args, kwargs))
    leaves = tree_leaves((args, kwargs))
    inputs = [x for x in leaves if isinstance(x, Tensor)]
    if _has_autograd_kernel(op) or not any(x.requires_grad for x in inputs):
        return
    before = fallback_mode()
    set_fallback_mode("nothing")
    try:
        results = [x for x in tree_leaves(op(*args, **kwargs)) if isinstance(x, Tensor)]
    finally:
        set_fallback_mode(before)
    known = set(map(id, inputs))
    if any(x.requires_grad and id(x) not in known for x in results):
        raise AssertionError(
            f"{op.name()}: at least one output of this operator has requires_grad=True but the "
            "operator does not have an autograd kernel defined at an autograd key (e.g. "
            "DispatchKey::Autograd). This could mean that you have incorrectly registered an "
            "autograd kernel to a non-Autograd DispatchKey, which may lead to silently incorrect "
            "results. If your operator consists of regular PyTorch operations, consider not using "
            "an operator at all or registering your operator as CompositeImplicitAutograd. If you "
            "have an autograd.Function registered to a backend (CPU/CUDA/XPU) key, the correct "
            "location for it is the Autograd key."
        )


_COMPOSITE = ("CompositeExplicitAutograd", "CompositeImplicitAutograd")


def _check_fake(op, args, kwargs, **tolerances):
    """Compare the fake kernel's results, computed on tensors with data, with the operator's."""
    if op._kernels is None:
        return
    fake = op._kernels.get("Meta", op._kernels.fake)
    if fake is None and op._kernels.explain is not None:
        op._kernels.explain("Meta")
    if fake is None:
        # a composite kernel works without data if the operators it calls do
        composites = map(op._kernels.get, _COMPOSITE)
        fake = next((kernel for kernel in composites if kernel is not None), None)
    if fake is None:
        raise RuntimeError(str(op))
    with no_grad():
        args, kwargs = _copied((args, kwargs))
        expected = op(*args, **kwargs)
        with sizes_from(_stand_in), context_of(op):
            found = fake(*args, **kwargs)
    several = len(op._schema.returns) > 1 or any(r.is_list for r in op._schema.returns)
    if not several and op._schema.returns and not isinstance(found, Tensor):
        raise RuntimeError(f"Unable to cast {found} to Tensor")
    pairs = zip(tree_leaves(expected), tree_leaves(found), strict=True)
    for number, (a, b) in enumerate(pairs):
        if isinstance(a, Tensor):
            _compare(op, f" for output[{number}]" if several else "", a, b)


# placeholder for sizes that depend on data; no tensor in a test has this size
_UNKNOWN = 10_007


def _stand_in(op, min, max):
    return _UNKNOWN


def _compare(op, where, expected, found):
    head = (
        f"When comparing the output of {op} on FakeTensor and concrete Tensors, found mismatched "
        f"tensor metadata{where}: "
    )
    known = [n != _UNKNOWN for n in found.shape]
    if len(expected.shape) != len(found.shape) or any(
        a != b and check for a, b, check in zip(expected.shape, found.shape, known, strict=True)
    ):
        raise RuntimeError(f"{head}Shapes {expected.shape} and {found.shape} are not equal!")
    if expected.dtype is not found.dtype:
        raise RuntimeError(f"{head}Dtypes {expected.dtype} and {found.dtype} are not equal!")
    if all(known) and expected.numel() > 1 and expected.stride() != found.stride():
        raise RuntimeError(
            f"{head}Stride mismatch! Strides are {expected.stride()} and {found.stride()}"
        )


def _not_here(op, args, kwargs, **tolerances):
    raise NotImplementedError("opcheck of what a compiler does: there is none in minitorch")


_CHECKS = {
    "test_schema": _check_schema,
    "test_autograd_registration": _check_autograd_registration,
    "test_faketensor": _check_fake,
    "test_aot_dispatch_static": _not_here,
    "test_aot_dispatch_dynamic": _not_here,
}


def _overload_of(op):
    if isinstance(op, CustomOpDef):
        return op._opoverload
    if isinstance(op, OpOverloadPacket):
        names = op.overloads()
        if len(names) != 1:
            names = ["" if name == "default" else name for name in names]
            raise RuntimeError(
                "opcheck can only test operators without overloads. Got the following overloads "
                f"for {op._qualified_op_name}: {names}"
            )
        return getattr(op, names[0])
    if not isinstance(op, OpOverload):
        raise ValueError(
            "opcheck(op, ...): op must be instance of torch._ops.OpOverload, e.g. "
            f"torch.ops.aten.sin.default, got {type(op)}"
        )
    return op


def opcheck(op, args, kwargs=None, *, test_utils=None, raise_exception=True, atol=None, rtol=None):
    """Check an operator against its schema and registrations with these arguments.

    Parameters
    ----------
    op : OpOverload, OpOverloadPacket or CustomOpDef
    args : tuple
    kwargs : dict, optional
    test_utils : str or sequence of str, optional
        The checks to run, by default all three. ``"test_schema"``: the operator writes to and
        aliases only what its schema declares. ``"test_autograd_registration"``: results of an
        operator without an autograd kernel do not require a gradient. ``"test_faketensor"``: the
        fake kernel returns the same shapes, dtypes and strides. PyTorch's checks of its compiler
        raise NotImplementedError.
    raise_exception : bool
        If False, the result holds the exceptions.
    atol, rtol : float, optional
        Tolerances for the compiler's results; unused here.

    Returns
    -------
    dict of str to ``"SUCCESS"`` or Exception

    Raises
    ------
    OpCheckError
        A check failed.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.library.opcheck(torch.ops.aten.sin.default, (torch.ones(2),), test_utils="test_schema")
    {'test_schema': 'SUCCESS'}
    """
    if (rtol is None) != (atol is None):
        raise ValueError("opcheck(op, ...): if you specify one of rtol/atol, you must specify both")
    op = _overload_of(op)
    if test_utils is None:
        test_utils = tuple(name for name, check in _CHECKS.items() if check is not _not_here)
    elif isinstance(test_utils, str):
        test_utils = tuple(_CHECKS) if test_utils == "ALL" else (test_utils,)
    if not isinstance(test_utils, (tuple, list)) or not set(test_utils) <= set(_CHECKS):
        raise ValueError(
            f"opcheck(op, ..., test_utils={test_utils}), expected test_utils to be subset of "
            f"{tuple(_CHECKS)} but it was not"
        )
    return {name: _outcome(name, op, args, kwargs or {}, raise_exception) for name in test_utils}


def _outcome(name, op, args, kwargs, raise_exception):
    try:
        _CHECKS[name](op, args, kwargs)
    except NotImplementedError:
        raise
    except Exception as error:
        if raise_exception:
            raise _error_class()(
                f"opcheck(op, ...): {name} failed with {error} (scroll up for stack trace)"
            ) from error
        return error
    return "SUCCESS"
