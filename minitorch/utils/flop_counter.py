"""`FlopCounterMode`: counts the floating point operations of matrix products and convolutions."""

import functools
import math
import warnings
from collections import defaultdict

from minitorch._dispatch.operators import OpOverloadPacket, ops
from minitorch._tensor import Tensor
from minitorch.utils._python_dispatch import TorchDispatchMode
from minitorch.utils._pytree import tree_map
from minitorch.utils.module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "register_flop_formula"]

_aten = ops.aten
flop_registry: dict = {}


def get_shape(i):
    """Return the shape of a tensor, and any other object unchanged."""
    return i.shape if isinstance(i, Tensor) else i


def normalize_tuple(x):
    """Return `x` if it is a tuple, otherwise ``(x,)``."""
    return x if isinstance(x, tuple) else (x,)


def shape_wrapper(f):
    """Convert a formula of shapes to a formula of tensors."""

    @functools.wraps(f)
    def of_tensors(*args, out_val=None, **kwargs):
        args, kwargs, out_shape = tree_map(get_shape, (args, kwargs, out_val))
        return f(*args, out_shape=out_shape, **kwargs)

    return of_tensors


def register_flop_formula(targets, get_raw=False):
    """Return a decorator that registers a function as the formula of some operators.

    Parameters
    ----------
    targets : OpOverloadPacket or list of them
    get_raw : bool
        Whether the function takes tensors and ``out_val`` instead of shapes and ``out_shape``.

    Returns
    -------
    callable
        The decorator, which returns the function that it is given.

    Raises
    ------
    ValueError
        If a target is not an operator.
    RuntimeError
        If an operator already has a formula.

    Examples
    --------
    >>> import minitorch as torch
    >>> @torch.library.custom_op("docs::sine_h", mutates_args=())
    ... def sine_h(x: torch.Tensor) -> torch.Tensor:
    ...     return x.sin()
    >>> @torch.utils.flop_counter.register_flop_formula(torch.ops.docs.sine_h)
    ... def flops(x_shape, out_shape=None, **kwargs):
    ...     return x_shape[0]
    >>> with torch.utils.flop_counter.FlopCounterMode(display=False) as counter:
    ...     y = sine_h(torch.zeros(3))
    >>> counter.get_total_flops()
    3
    """

    def register(formula):
        counted = formula if get_raw else shape_wrapper(formula)
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            if not isinstance(target, OpOverloadPacket):
                raise ValueError(
                    "register_flop_formula(targets): expected each target to be OpOverloadPacket (i.e. "
                    "torch.ops.mylib.foo), JitFunction, or HigherOrderOperator, got "
                    f"{target} which is of type {type(target)}"
                )
            if target in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[target] = counted
        return counted

    return register


def _product(rows, inner, columns):
    return 2 * rows * inner * columns


@register_flop_formula(_aten.mm)
def mm_flop(a_shape, b_shape, *args, out_shape=None, **kwargs):
    """Return the count of a matrix product."""
    rows, inner = a_shape
    same, columns = b_shape
    if inner != same:
        raise AssertionError(
            f"matmul: inner dimensions must match (k == k2), got {inner} and {same}"
        )
    return _product(rows, inner, columns)


@register_flop_formula(_aten.addmm)
def addmm_flop(self_shape, a_shape, b_shape, out_shape=None, **kwargs):
    """Return the count of `addmm`: only the product counts."""
    rows, inner = a_shape
    return _product(rows, inner, b_shape[1])


@register_flop_formula(_aten.bmm)
def bmm_flop(a_shape, b_shape, out_shape=None, **kwargs):
    """Return the count of a batched matrix product."""
    batch, rows, inner = a_shape
    return batch * _product(rows, inner, b_shape[2])


@register_flop_formula(_aten.baddbmm)
def baddbmm_flop(self_shape, a_shape, b_shape, out_shape=None, **kwargs):
    """Return the count of `baddbmm`: only the products count."""
    batch, rows, inner = a_shape
    return batch * _product(rows, inner, b_shape[2])


def conv_flop_count(x_shape, w_shape, out_shape, transposed=False):
    """Return the count of a convolution.

    Every position of the output (of the input if transposed) is a product with the whole filter.
    """
    positions = (x_shape if transposed else out_shape)[2:]
    return 2 * x_shape[0] * math.prod(positions) * math.prod(w_shape)


@register_flop_formula([_aten.convolution, _aten._convolution])
def conv_flop(
    x_shape,
    w_shape,
    _bias,
    _stride,
    _padding,
    _dilation,
    transposed,
    *args,
    out_shape=None,
    **kwargs,
):
    """Return the count of a convolution without its bias."""
    return conv_flop_count(x_shape, w_shape, out_shape, transposed)


def _swapped(shape):
    return [shape[1], shape[0], *shape[2:]]


@register_flop_formula(_aten.convolution_backward)
def conv_backward_flop(
    grad_out_shape, x_shape, w_shape, _bias, _stride, _padding, _dilation, transposed, _output_padding, _groups,
    output_mask, out_shape, **kwargs,
):  # fmt: skip
    """Return the count of the gradients of a convolution.

    The gradient of the input is a convolution of the opposite kind. The gradient of the filter is a
    convolution of the input with the gradient of the output.
    """
    count = 0
    if output_mask[0]:
        count += conv_flop_count(grad_out_shape, w_shape, get_shape(out_shape[0]), not transposed)
    if output_mask[1]:
        of, over = (grad_out_shape, x_shape) if transposed else (x_shape, grad_out_shape)
        count += conv_flop_count(_swapped(of), _swapped(over), _swapped(get_shape(out_shape[1])))
    return count


def _attention_sizes(name, query_shape, key_shape, value_shape):
    """Return the number of matrices and their sizes.

    Several query heads may share one key and value head.
    """
    batch, heads, queries, width = query_shape
    _, of_keys, keys, _ = key_shape
    if heads < of_keys or heads % of_keys:
        raise AssertionError(
            f"{name}: query heads ({heads}) must be a multiple of key/value heads ({of_keys})"
        )
    return batch * heads, queries, keys, width, value_shape[3]


def sdpa_flop_count(query_shape, key_shape, value_shape):
    """Return the count of attention: the scores and the weighted sum of the values."""
    same = query_shape[0] == key_shape[0] == value_shape[0] and query_shape[3] == key_shape[3]
    if not same or tuple(key_shape[1:3]) != tuple(value_shape[1:3]):
        raise AssertionError(
            f"sdpa_flop_count: query/key/value shapes are incompatible: q={query_shape}, k={key_shape}, "
            f"v={value_shape}"
        )
    sizes = _attention_sizes("sdpa_flop_count", query_shape, key_shape, value_shape)
    heads, queries, keys, width, of_value = sizes
    return heads * (_product(queries, width, keys) + _product(queries, keys, of_value))


def sdpa_flop(query_shape, key_shape, value_shape, *args, out_shape=None, **kwargs):
    """Return the count of attention, ignoring the other arguments of the operator."""
    return sdpa_flop_count(query_shape, key_shape, value_shape)


def sdpa_backward_flop_count(grad_out_shape, query_shape, key_shape, value_shape):
    """Return the count of the gradient of attention.

    The scores are computed again. Two products give the gradients of scores and values, two more
    those of queries and keys.
    """
    name = "sdpa_backward_flop_count"
    batches = {shape[0] for shape in (grad_out_shape, query_shape, key_shape, value_shape)}
    if len(batches) > 1 or key_shape[1] != value_shape[1] or query_shape[1] != grad_out_shape[1]:
        raise AssertionError(f"{name}: batch/heads mismatch among tensors")
    sizes = _attention_sizes(name, query_shape, key_shape, value_shape)
    heads, queries, keys, width, of_value = sizes
    if (width, keys) != (key_shape[3], value_shape[2]) or (queries, of_value) != tuple(
        grad_out_shape[2:]
    ):
        raise AssertionError(f"{name}: grad_out/value/key/query shapes are incompatible")
    return heads * (3 * _product(queries, width, keys) + 2 * _product(queries, of_value, keys))


def sdpa_backward_flop(
    grad_out_shape, query_shape, key_shape, value_shape, *args, out_shape=None, **kwargs
):
    """Return the count of the gradient of attention, ignoring the other arguments."""
    return sdpa_backward_flop_count(grad_out_shape, query_shape, key_shape, value_shape)


_SUFFIXES = ["", "K", "M", "B", "T"]


def get_suffix_str(number):
    """Return the unit in which a number is shown."""
    return _SUFFIXES[max(0, min(len(_SUFFIXES) - 1, (len(str(number)) - 2) // 3))]


def convert_num_with_suffix(number, suffix):
    """Format a number in a unit."""
    return f"{number / 1000 ** _SUFFIXES.index(suffix):.3f}{suffix}"


def convert_to_percent_str(num, denom):
    """Format a fraction as a percentage."""
    return "0%" if denom == 0 else f"{num / denom:.2%}"


class FlopCounterMode:
    """A context manager that counts the floating point operations of products and convolutions.

    Parameters
    ----------
    mods : object, optional
        Unused.
    depth : int, default 2
        The depth of the table in the tree of modules.
    display : bool, default True
        Whether to print the table on exit.
    custom_mapping : dict, optional
        A dict from operators to formulas, besides those of `register_flop_formula`.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.flop_counter import FlopCounterMode
    >>> with FlopCounterMode(display=False) as counter:
    ...     y = torch.nn.Linear(3, 5)(torch.ones(4, 3))
    >>> counter.get_total_flops()
    120
    """

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        if mods is not None:
            warnings.warn(
                "mods argument is not needed anymore, you can stop passing it", stacklevel=2
            )
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        self.depth = depth
        self.display = display
        self.mode = None
        self.flop_registry = {
            **flop_registry,
            **{
                target: formula if getattr(formula, "_get_raw", False) else shape_wrapper(formula)
                for target, formula in (custom_mapping or {}).items()
            },
        }
        self.mod_tracker = ModuleTracker()

    def get_total_flops(self):
        """Return the total count."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self):
        """Return the counts by module and operator."""
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth=None):
        """Format the counts as a table; requires the package ``tabulate``."""
        import tabulate

        tabulate.PRESERVE_WHITESPACE = True
        depth = depth if depth is not None else self.depth if self.depth is not None else 999999
        total = self.get_total_flops()
        suffix = get_suffix_str(total)
        rows = []
        contained = False
        for name in sorted(self.flop_counts):
            level = name.count(".") + 1
            if name != "Global" and level <= depth:
                contained = contained or sum(self.flop_counts[name].values()) >= total
                rows.extend(self._rows(name, level - 1, total, suffix))
        if "Global" in self.flop_counts and not contained:
            rows = [[" " + first, *rest] for first, *rest in rows]
            rows = self._rows("Global", 0, total, suffix) + rows
        return tabulate.tabulate(
            rows or [["Global", "0", "0%"]],
            headers=["Module", "FLOP", "% Total"],
            colalign=("left", "right", "right"),
        )

    def _rows(self, name, level, total, suffix):
        counts = self.flop_counts[name]
        entries = [(name, sum(counts.values())), *((f" - {op}", n) for op, n in counts.items())]
        return [
            [
                " " * level + label,
                convert_num_with_suffix(n, suffix),
                convert_to_percent_str(n, total),
            ]
            for label, n in entries
        ]

    def __enter__(self):
        self.flop_counts.clear()
        self.mod_tracker.__enter__()
        self.mode = _FlopCounterMode(self)
        self.mode.__enter__()
        return self

    def __exit__(self, *error):
        self.mode.__exit__(*error)
        self.mode = None
        self.mod_tracker.__exit__()
        if self.display:
            print(self.get_table(self.depth))

    def _count_flops(self, packet, out, args, kwargs):
        formula = self.flop_registry.get(packet)
        if formula is not None:
            count = formula(*args, **kwargs, out_val=out)
            for name in self.mod_tracker.parents:
                self.flop_counts[name][packet] += count
        return out


class _FlopCounterMode(TorchDispatchMode):
    def __init__(self, counter):
        super().__init__()
        self.counter = counter

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        return self.counter._count_flops(func._overloadpacket, func(*args, **kwargs), args, kwargs)
