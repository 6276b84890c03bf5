"""Einstein summation: sums of products, written by naming dimensions.

The way of one call: `_parse` names the dimensions of each operand and of the result with integers;
each operand gets its repeated names reduced to a diagonal; then two operands at a time are
contracted by one batched matrix product (`_contract`), from left to right. A dimension that nobody
needs any more is summed as soon as possible.

References
----------
PyTorch's counterpart is ``einsum`` in ``aten/src/ATen/native/Linear.cpp``.
"""

from functools import cache

from minitorch._tensor import Tensor

_ELLIPSIS = "..."


def _letters(text, where):
    """The labels of one term: letters, and ``...`` once."""
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
    """The labels of each operand, and those of the result."""
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
    """The labels of each operand and of the result, for operands with so many dimensions."""
    terms, output = _parse(equation, dims)
    output = _expand_ellipses(terms, output, dims)
    return terms, output


def _expand_ellipses(terms, output, dims):
    """Replace ``...`` by numbers, counted from the last dimension, and check the counts."""
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


def _diagonals(operand, labels):
    """Reduce a label that stands twice to the diagonal."""
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
                    f"einsum(): subscript {label} is repeated for operand but the sizes don't match, "
                    f"{b} != {a}"
                )
            operand = operand.diagonal(0, first, second).movedim(-1, first)
            del labels[second]
    return operand, labels


def _check_sizes(operands, terms):
    sizes, seen = {}, {}
    for k, (operand, labels) in enumerate(zip(operands, terms, strict=True)):
        for d, label in enumerate(labels):
            n = operand.size(d)
            if sizes.get(label, 1) not in (1, n) and n != 1:
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {n} for operand {k} which does not "
                    f"broadcast with previously seen size {sizes[label]}"
                )
            sizes[label] = max(sizes.get(label, 1), n) if n != 0 else 0
            seen[label] = k
    return sizes


def _sum_out(operand, labels, needed):
    """Sum the dimensions that nobody needs."""
    dims = [d for d, label in enumerate(labels) if label not in needed]
    if dims:
        operand = operand.sum(dims)
        labels = [label for label in labels if label in needed]
    return operand, labels


def _arranged(operand, labels, order, sizes):
    """The operand with its dimensions in this order, those that are missing of size 1."""
    have = [label for label in order if label in labels]
    operand = operand.permute([labels.index(label) for label in have])
    for d, label in enumerate(order):
        if label not in labels:
            operand = operand.unsqueeze(d)
    return operand


def _contract(a, a_labels, b, b_labels, needed, sizes):
    """One product of two operands."""
    both = [label for label in a_labels if label in b_labels]
    batch = [label for label in both if label in needed]
    summed = [label for label in both if label not in needed]
    # a dimension that one of them has with size 1 only is broadcast: it cannot be contracted
    for label in list(summed):
        if a.size(a_labels.index(label)) != b.size(b_labels.index(label)):
            a, a_labels, b, b_labels = _drop_broadcast(a, a_labels, b, b_labels, label)
            summed.remove(label)
    rows = [label for label in a_labels if label not in batch and label not in summed]
    columns = [label for label in b_labels if label not in batch and label not in summed]
    result_labels = batch + rows + columns
    if not summed:
        product = _arranged(a, a_labels, result_labels, sizes) * _arranged(
            b, b_labels, result_labels, sizes
        )
        return product, result_labels

    def matrix(operand, labels, middle, last):
        operand = operand.permute([labels.index(x) for x in batch + middle + last])
        lead = [sizes[x] for x in batch]
        n, m = _count(middle, sizes), _count(last, sizes)
        operand = operand.expand(lead + [sizes[x] for x in middle + last])
        return operand.reshape([_count(batch, sizes), n, m])

    left = matrix(a, a_labels, rows, summed)
    right = matrix(b, b_labels, summed, columns)
    shape = [sizes[label] for label in result_labels]
    return left.bmm(right).reshape(shape), result_labels


def _drop_broadcast(a, a_labels, b, b_labels, label):
    """Sum a label away in the operand that has all of it; the other one has size 1 there."""
    if a.size(a_labels.index(label)) == 1:
        b, b_labels = b.sum(b_labels.index(label)), [x for x in b_labels if x != label]
        a, a_labels = a.squeeze(a_labels.index(label)), [x for x in a_labels if x != label]
    else:
        a, a_labels = a.sum(a_labels.index(label)), [x for x in a_labels if x != label]
        b, b_labels = b.squeeze(b_labels.index(label)), [x for x in b_labels if x != label]
    return a, a_labels, b, b_labels


def _count(labels, sizes):
    product = 1
    for label in labels:
        product *= sizes[label]
    return product


def _from_sublists(args):
    """``einsum(a, [0, 1], b, [1, 2], [0, 2])`` in the notation of letters."""

    def text(sublist):
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


def einsum(*args):
    """Sum products of the operands' elements along dimensions named by letters.

    Parameters
    ----------
    equation : str
        The dimensions of each operand, and behind ``->`` those of the result; without it the result
        has the letters that stand once, in alphabetical order.
    operands : Tensor

    Returns
    -------
    Tensor

    Examples
    --------
    >>> import minitorch as torch
    >>> a, b = torch.ones(2, 3), torch.ones(3, 4)
    >>> torch.einsum("ij,jk->ik", a, b).shape
    torch.Size([2, 4])
    """
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one "
            "operand and its subscripts list"
        )
    if isinstance(args[0], Tensor):
        equation, operands = _from_sublists(args)
    else:
        equation, operands = args[0], list(args[1:])
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = list(operands[0])
    terms, output = _read(equation, tuple([operand.dim() for operand in operands]))
    pairs = [_diagonals(*pair) for pair in zip(operands, terms, strict=True)]
    operands, terms = [p[0] for p in pairs], [p[1] for p in pairs]
    sizes = _check_sizes(operands, terms)
    result, labels = operands[0], terms[0]
    for k in range(1, len(operands)):
        later = set(output).union(*terms[k + 1 :])
        result, labels = _sum_out(result, labels, later | set(terms[k]))
        other, other_labels = _sum_out(operands[k], terms[k], later | set(labels))
        result, labels = _contract(result, labels, other, other_labels, later, sizes)
    result, labels = _sum_out(result, labels, set(output))
    return _arranged(result, labels, output, sizes)
