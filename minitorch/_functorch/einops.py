"""`rearrange`: reshaping by a pattern, as in the package einops."""

import math
import warnings
from keyword import iskeyword

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops

__all__ = ["rearrange"]

_ELLIPSIS = "…"


class DimensionBindError(Exception):
    """Raised when the sizes in a pattern do not fit the tensor's."""


def rearrange(tensor, pattern, **axes_lengths):
    """Reorder, split, join, add and drop dimensions according to a pattern.

    Parameters
    ----------
    tensor : Tensor or sequence of Tensor
        A sequence is stacked along a first dimension.
    pattern : str
        Names of the dimensions before and after, as in ``"b (h w) c -> b c h w"``. Names in
        brackets form one dimension, ``...`` means all dimensions that are not named, and ``1`` or
        ``()`` one of size 1.
    **axes_lengths : int
        Sizes of dimensions in brackets; one per bracket can be left out.

    Returns
    -------
    Tensor
        A view where that is possible.

    Raises
    ------
    ValueError
        When the pattern is invalid, or has a different number of dimensions than the tensor.
    TypeError
        When a length is not an int.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.func.rearrange(torch.arange(4), "(h w) -> w h", h=2)
    tensor([[0, 2],
            [1, 3]])
    """
    if not isinstance(tensor, Tensor):
        tensor = _ops.stack(list(tensor))
    left, right = _sides(pattern, axes_lengths)
    known = _sizes(tensor, left, axes_lengths)
    named = [name for group in left for name in group]
    # dimensions without a name are summed over
    for d in reversed(range(len(left))):
        if not left[d]:
            tensor = tensor.sum(_place(left, d, known))
    split = [size for name in named for size in known[name]]
    tensor = tensor.reshape(split)
    starts, count = {}, 0
    for name in named:
        starts[name] = range(count, count + len(known[name]))
        count += len(known[name])
    tensor = tensor.permute([d for group in right for name in group for d in starts[name]])
    shape = []
    for group in right:
        sizes = [size for name in group for size in known[name]]
        shape += sizes if group == _ELLIPSIS else [math.prod(sizes)]
    tensor = tensor.reshape(shape)
    return tensor if all(left) else tensor.contiguous()


def _place(groups, d, known):
    """Return the dimension of the tensor where group `d` begins."""
    return sum(len(known[_ELLIPSIS]) if group == _ELLIPSIS else 1 for group in groups[:d])


def _sides(pattern, axes_lengths):
    """Parse the two sides of the arrow; return a list of names per dimension for each."""
    sides = pattern.split("->")
    if len(sides) != 2:
        raise ValueError("Pattern must contain a single '->' separator")
    (left, left_bad, left_inside), (right, right_bad, _) = map(_parsed, sides)
    left_names, right_names = ({name for group in side for name in group} for side in (left, right))
    if _ELLIPSIS in right_names and _ELLIPSIS not in left_names:
        raise ValueError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if left_inside:
        raise ValueError(f"Ellipsis is parenthesis in the left side is not allowed: {pattern}")
    for length in axes_lengths.values():
        if not isinstance(length, int):
            raise TypeError(f"rearrange axis lengths must be integers, got: {type(length)}")
    if left_bad or right_bad:
        raise ValueError("rearrange only supports unnamed axes of size 1")
    if left_names != right_names:
        raise ValueError(
            "Identifiers only on one side of rearrange expression (should be on both): "
            f"{left_names ^ right_names}"
        )
    if axes_lengths.keys() - left_names:
        raise ValueError(
            f"Identifiers not found in rearrange expression: {axes_lengths.keys() - left_names}"
        )
    return left, right


def _parsed(expression):
    """Parse one side: (names per dimension, has an unnamed size, has ... in brackets)."""
    if "." in expression:
        if "..." not in expression:
            raise ValueError("Expression may contain dots only inside ellipsis (...)")
        if expression.count("...") != 1 or expression.count(".") != 3:
            raise ValueError(
                "Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor "
            )
        expression = expression.replace("...", _ELLIPSIS)
    groups, bracket, unnamed, inside, word = [], None, False, False, ""
    seen = set()
    for character in expression + " ":
        if character.isalnum() or character in ("_", _ELLIPSIS):
            word += character
            continue
        if character not in " ()":
            raise ValueError(f"Unknown character '{character}'")
        if word:
            if word in seen:
                raise ValueError(f"Indexing expression contains duplicate dimension '{word}'")
            inside = inside or (word == _ELLIPSIS and bracket is not None)
            if word.isdecimal():
                unnamed = unnamed or _unnamed(word)
                if bracket is None:
                    groups.append([])
            else:
                _check_name(word)
                seen.add(word)
                if bracket is None:
                    groups.append(word if word == _ELLIPSIS else [word])
                else:
                    bracket.append(word)
            word = ""
        if character == "(":
            if bracket is not None:
                raise ValueError(
                    "Axis composition is one-level (brackets inside brackets not allowed)"
                )
            bracket = []
        elif character == ")":
            if bracket is None:
                raise ValueError("Brackets are not balanced")
            groups.append(bracket)
            bracket = None
    if bracket is not None:
        raise ValueError(f"Imbalanced parentheses in expression: '{expression}'")
    return groups, unnamed, inside


def _unnamed(word):
    if int(word) < 1:
        raise ValueError(f"Anonymous axis should have positive length, not {int(word)}")
    return word != "1"


def _check_name(word):
    if word == _ELLIPSIS:
        return
    if not word.isidentifier():
        raise ValueError(f"Invalid axis identifier: {word}\nnot a valid python identifier")
    if word[0] == "_" or word[-1] == "_":
        raise ValueError(
            f"Invalid axis identifier: {word}\naxis name should should not start or end with underscore"
        )
    if iskeyword(word):
        warnings.warn(
            f"It is discouraged to use axes names that are keywords: {word}",
            RuntimeWarning,
            stacklevel=5,
        )
    if word == "axis":
        warnings.warn(
            "It is discouraged to use 'axis' as an axis name and will raise an error in future",
            FutureWarning,
            stacklevel=5,
        )


def _sizes(tensor, left, axes_lengths):
    """Return the sizes of the dimensions that each name means."""
    rest = tensor.dim() - len(left)
    ellipsis = _ELLIPSIS in left
    if rest + ellipsis < 0 or (rest != 0 and not ellipsis):
        raise ValueError(
            f"Number of dimensions in pattern ({len(left) - ellipsis}) must be "
            f"{'less than or equal to' if ellipsis else 'equal to'} the number of dimensions in the tensor "
            f"({tensor.dim()})"
        )
    numbers = {}  # error messages of PyTorch call the dimensions of a pattern d0, d1, ...
    for group in left:
        for name in group:
            numbers[name] = len(numbers)
    known = {_ELLIPSIS: ()}
    place = 0
    for group in left:
        if group == _ELLIPSIS:
            known[_ELLIPSIS] = tuple(tensor.shape[place : place + rest + 1])
            place += rest + 1
            continue
        if group:
            _split(tensor.shape[place], group, axes_lengths, known, numbers)
        place += 1
    return known


def _split(size, group, axes_lengths, known, numbers):
    given = {name: axes_lengths[name] for name in group if name in axes_lengths}
    missing = [name for name in group if name not in given]
    if len(missing) > 1:
        first, second = (f"d{numbers[name]}" for name in missing[:2])
        raise DimensionBindError(
            f"cannot infer the sizes of two dimensions at once {first} and {second}"
        )
    product = math.prod(given.values())
    if missing:
        if product == 0 or size % product:
            sizes = tuple(given.get(name, "?") for name in group)
            raise DimensionBindError(
                f"inferred dimension does not evenly fit into larger dimension: {size} vs {sizes}"
            )
        given[missing[0]] = size // product
    elif product != size:
        pack = "(" + "".join(f"d{numbers[name]}, " for name in group)
        pack = (pack[:-1] if len(group) == 1 else pack[:-2]) + ")"
        raise DimensionBindError(
            f"Dimension sizes to do not match ({size} != {product}) when matching dimension pack {pack}"
        )
    for name in group:
        known[name] = (given[name],)
