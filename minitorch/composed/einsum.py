"""Einstein summation: sums of products over named dimensions.

A call has three steps. `_read` labels the dimensions of each operand and of the result. For each
operand, repeated labels are reduced to a diagonal (`_diagonals`) and the dimensions are put in a
common order, those of the result first (`_arranged`). Then the operands are contracted from left to
right, each with one batched matrix product (`_contract`). A dimension that no other operand needs
is summed as soon as possible, and has size 1 until the end.

References
----------
PyTorch's counterpart is ``einsum`` in ``aten/src/ATen/native/Linear.cpp``.
"""

from functools import cache

from minitorch._tensor import Tensor
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.observe.profiled_blocks import observed

__all__ = ["einsum"]

_ELLIPSIS = "..."


def _letters(text, where):
    """Return the labels of one term: letters, and at most one ``...``."""
    labels, k = [], 0
    while k < len(text):
        c = text[k]
        if c == " ":
            k += 1
        elif c == ".":
            if text[k : k + 3] != _ELLIPSIS:
                raise RuntimeError(
                    f"einsum(): found '.' {where[1]} that is not part of any ellipsis"
                )
            if _ELLIPSIS in labels:
                raise RuntimeError(
                    f"einsum(): found '.' {where[1]} for which an ellipsis was already found"
                    if "operand" in where[1]
                    else "einsum(): found '.' for output but an ellipsis (...) was already found"
                )
            labels.append(_ELLIPSIS)
            k += 3
        elif c.isascii() and c.isalpha():
            labels.append(c)
            k += 1
        else:
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {where[0] + k} in the equation string, "
                "subscripts must be in [a-zA-Z]"
            )
    return labels


def _parse(equation, operands):
    """Return the labels of each operand, and those of the result or None."""
    left, arrow, right = equation.partition("->")
    terms, position = [], 0
    for k, term in enumerate(left.split(",")):
        terms.append(_letters(term, (position, f"for operand {k}")))
        position += len(term) + 1
    if len(terms) > len(operands):
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    if len(terms) < len(operands):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    if not arrow:
        return terms, None
    return terms, _letters(right, (len(left) + 2, "in the output"))


@cache
def _read(equation, dims):
    """Return the labels of the operands, which have `dims` dimensions, and of the result."""
    terms, output = _parse(equation, dims)
    output = _expand_ellipses(terms, output, dims)
    return terms, output


def _expand_ellipses(terms, output, dims):
    """Replace ``...`` by numbers, counted from the last dimension, and check the labels."""
    longest = 0
    for k, (labels, dim) in enumerate(zip(terms, dims, strict=True)):
        named = len(labels) - (_ELLIPSIS in labels)
        hidden = dim - named
        if _ELLIPSIS in labels:
            if hidden < 0:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({named}) is more than the "
                    f"number of dimensions ({dim}) for operand {k}"
                )
            at = labels.index(_ELLIPSIS)
            labels[at : at + 1] = range(hidden - 1, -1, -1)
            longest = max(longest, hidden)
        elif hidden:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) "
                f"does not match the number of dimensions "
                f"({dim}) for operand {k} and no ellipsis was given"
            )
    covered = list(range(longest - 1, -1, -1))
    if output is None:
        counts = {}
        for labels in terms:
            for label in labels:
                counts[label] = counts.get(label, 0) + 1
        once = sorted(c for c, n in counts.items() if isinstance(c, str) and n == 1)
        return covered + once
    if _ELLIPSIS in output:
        at = output.index(_ELLIPSIS)
        output[at : at + 1] = covered
    known = {label for labels in terms for label in labels}
    for k, label in enumerate(output):
        if label not in known:
            raise RuntimeError(
                f"einsum(): output subscript {label} does not appear in the equation for any input "
                "operand"
            )
        if label in output[:k]:
            raise RuntimeError(
                f"einsum(): output subscript {label} appears more than once in the output"
            )
    return output


def _diagonals(operand, labels, number):
    """Reduce dimensions with the same label to their diagonal."""
    labels = list(labels)
    if len(set(labels)) == len(labels):
        return operand, labels
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            a, b = operand.size(first), operand.size(second)
            if a != b:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't match, "
                    f"{b} != {a}"
                )
            operand = operand.diagonal(0, first, second).movedim(-1, first)
            del labels[second]
    return operand, labels


def _check_sizes(operands, terms):
    sizes = {}
    for k, (operand, labels) in enumerate(zip(operands, terms, strict=True)):
        for d, label in enumerate(labels):
            n, before = operand.size(d), sizes.get(label, 1)
            if n != before and n != 1 and before != 1:
                _raise_size_mismatch(label, d, n, before, k)
            sizes[label] = n if before == 1 else before


def _raise_size_mismatch(label, dim, n, before, operand):
    if isinstance(label, int):
        raise RuntimeError(
            f"einsum(): dimension {dim} covered by ellipsis in operand {operand}has size {n} which "
            f"does not broadcast with previously seen ellipsis with size {before} for the respective "
            "dimension"
        )
    raise RuntimeError(
        f"einsum(): subscript {label} has size {n} for operand {operand} which does not "
        f"broadcast with previously seen size {before}"
    )


@cache
def _all_labels(terms, output):
    """Return the labels of the result, then the others: ``...`` dimensions, then sorted letters."""
    others = {label for labels in terms for label in labels}.difference(output)
    hidden = sorted((label for label in others if isinstance(label, int)), reverse=True)
    return (*output, *hidden, *sorted(label for label in others if isinstance(label, str)))


@cache
def _arrangement(labels, order):
    """Return where to insert dimensions of size 1, and the permutation after that."""
    labels, places = list(labels), []
    hidden = [label for label in labels if isinstance(label, int)]
    if hidden:
        at = labels.index(hidden[0])
        for label in [label for label in order if isinstance(label, int) and label > hidden[0]]:
            places.append(at)
            labels.insert(at, label)
            at += 1
    missing = [label for label in order if label not in labels]
    places += range(len(labels), len(labels) + len(missing))
    labels += missing
    return places, [labels.index(label) for label in order]


def _arranged(operand, labels, order):
    """Return the operand with its dimensions in this order; missing ones have size 1."""
    places, permutation = _arrangement(labels, order)
    for at in places:
        operand = operand.unsqueeze(at)
    return operand.permute(permutation)


def _contract(a, b, kept, counts):
    """Multiply two operands and sum the dimensions from `kept` on that no other operand has.

    `counts` is the number of remaining operands with a size other than 1 in each dimension.
    """
    alone_a, alone_b, both = [], [], []
    for d in range(kept, a.dim()):
        if a.size(d) != 1 and b.size(d) != 1:
            counts[d] -= 1
            if counts[d] == 1:
                both.append(d)
                counts[d] = 0
        elif counts[d] == 1 and (a.size(d) != 1 or b.size(d) != 1):
            (alone_a if a.size(d) != 1 else alone_b).append(d)
            counts[d] = 0
    if alone_a:
        a = a.sum(alone_a, True)
    if alone_b:
        b = b.sum(alone_b, True)
    return _matrix_product(a, b, both) if both else a * b


def _matrix_product(a, b, summed):
    """Compute a batched matrix product; the summed dimensions stay, with size 1."""
    free = [d for d in range(a.dim()) if d not in summed]
    batch = [d for d in free if a.size(d) != 1 and b.size(d) != 1]
    rows = [d for d in free if a.size(d) != 1 and b.size(d) == 1]
    columns = [d for d in free if a.size(d) == 1]
    if rows and columns and columns[-1] < rows[0]:
        a, b, rows, columns = b, a, columns, rows
    lead, inner = _count(a, batch), _count(a, summed)
    left = a.permute(batch + rows + summed + columns).reshape(lead, _count(a, rows), inner)
    right = b.permute(batch + summed + columns + rows).reshape(lead, inner, _count(b, columns))
    order = batch + rows + summed + columns
    shape = [a.size(d) for d in batch + rows] + [1] * len(summed) + [b.size(d) for d in columns]
    return left.bmm(right).view(shape).permute([order.index(d) for d in range(a.dim())])


def _count(t, dims):
    product = 1
    for d in dims:
        product *= t.size(d)
    return product


def _from_sublists(args):
    """Convert ``einsum(a, [0, 1], b, [1, 2], [0, 2])`` to an equation and operands."""

    def text(sublist):
        for s in sublist:
            if s is not Ellipsis and not 0 <= s < 52:
                raise ValueError(
                    "einsum(): subscript in subscript list is not within the valid range [0, 52)"
                )
        return "".join(
            _ELLIPSIS
            if s is Ellipsis
            else (chr(ord("A") + s) if s < 26 else chr(ord("a") + s - 26))
            for s in sublist
        )

    output = None
    if len(args) % 2:
        *args, output = args
    operands = list(args[0::2])
    equation = ",".join(map(text, args[1::2]))
    return (equation if output is None else f"{equation}->{text(output)}"), operands


@observed
def einsum(*args):
    """Sum products of elements, as an equation of indices says.

    Each letter is an index. Indices that the result lacks are summed over; without an arrow, the result
    has the letters that occur once, in alphabetical order. ``...`` stands for dimensions that
    broadcast.

    Parameters
    ----------
    *args : str and Tensor
        An equation, such as ``"ij,jk->ik"``, and a tensor for each of its terms, or a list of them.
        Or tensors that are each followed by a list of integers for its indices; a last list is for
        the result.

    Returns
    -------
    Tensor
        One dimension for each index of the result.

    Raises
    ------
    RuntimeError
        If the equation and the shapes do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.einsum("ij,j->i", torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 10.0]))
    tensor([21., 43.])
    >>> torch.einsum("ii", torch.eye(3))
    tensor(3.)
    """
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one "
            "operand and its subscripts list"
        )
    if isinstance(args[0], Tensor):
        return _einsum(*_from_sublists(args))
    equation, *tensors = args
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = list(tensors[0])
    return _einsum(equation, tensors)


def _handed_on(*args):
    """Return the arguments for overrides: the operands, unpacked if given as a list."""
    if len(args) == 2 and isinstance(args[1], (list, tuple)):
        args = (args[0], *args[1])
    return args, {}


einsum.handed_on = _handed_on


@parsed_as("einsum")
def _einsum(equation, tensors, *, path=None):
    operands = tensors  # always contracted from left to right; `path` is ignored
    terms, output = _read(equation, tuple([operand.dim() for operand in operands]))
    pairs = [
        _diagonals(operand, labels, k)
        for k, (operand, labels) in enumerate(zip(operands, terms, strict=True))
    ]
    operands, terms = [p[0] for p in pairs], tuple([tuple(p[1]) for p in pairs])
    _check_sizes(operands, terms)
    order, kept = _all_labels(terms, tuple(output)), len(output)
    operands = [_arranged(*pair, order) for pair in zip(operands, terms, strict=True)]
    if len(operands) == 1:
        return operands[0].sum(list(range(kept, len(order)))) if len(order) > kept else operands[0]
    counts = [sum(operand.size(d) != 1 for operand in operands) for d in range(len(order))]
    result = operands[0]
    for operand in operands[1:]:
        result = _contract(result, operand, kept, counts)
    return result.view(result.shape[:kept]) if len(order) > kept else result
