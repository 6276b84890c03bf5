"""All rows of a Jacobian in one backward pass, or all its columns in one forward pass, by `vmap`."""

from minitorch._vmap_internals import _vmap
from minitorch.autograd import forward_ad
from minitorch.autograd import grad as _grad
from minitorch.autograd.functions.tensor_methods import zeros_like


def standard_basis(tensors):
    """The unit vectors of the space that all elements of `tensors` span, one part for each tensor.

    Parameters
    ----------
    tensors : sequence of Tensor

    Returns
    -------
    tuple of Tensor
        Of shapes (count of all elements, elements of the tensor), in the tensor's dtype.
    """
    total = sum(t.numel() for t in tensors)
    parts = []
    start = 0
    for t in tensors:
        part = t.new_zeros((total, t.numel()))
        part.diagonal(-start).fill_(1)
        parts.append(part)
        start += t.numel()
    return tuple(parts)


def rows_of_blocks(outputs, inputs, create_graph):
    """For each output the blocks of all inputs."""
    flat = [(output.reshape(-1), part) for output, part in zip(outputs, standard_basis(outputs), strict=True)]
    flat = [pair for pair in flat if pair[0].requires_grad]
    counts = [output.numel() for output in outputs]
    found = (None,) * len(inputs)
    if flat:
        roots, vectors = zip(*flat, strict=True)
        found = _grad(
            roots, inputs, vectors, create_graph=create_graph, allow_unused=True, is_grads_batched=True
        )
    columns = []
    for g, x in zip(found, inputs, strict=True):
        if g is None:
            g = zeros_like(x).expand(sum(counts), *x.shape)
        columns.append(
            [
                part.reshape(*output.shape, *x.shape)
                for part, output in zip(g.split_with_sizes(counts), outputs, strict=True)
            ]
        )
    return [tuple(row) for row in zip(*columns, strict=True)]


def columns_of_blocks(function, inputs):
    """The same in forward mode.

    Parameters
    ----------
    function : callable
        From tensors like `inputs` to a tuple of tensors.
    inputs : tuple of Tensor
    """
    shapes = []

    def tangents(*vectors):
        with forward_ad.dual_level():
            duals = (
                forward_ad.make_dual(x, vector.view_as(x)) for x, vector in zip(inputs, vectors, strict=True)
            )
            shapes.clear()
            results = []
            for output in function(*duals):
                primal, tangent = forward_ad.unpack_dual(output)
                shapes.append(tuple(primal.shape))
                results.append(zeros_like(primal) if tangent is None else tangent)
            return tuple(results)

    counts = [x.numel() for x in inputs]
    found = _vmap(tangents)(*standard_basis(inputs))
    return [
        tuple(
            part.movedim(0, -1).reshape(*shape, *x.shape)
            for part, x in zip(columns.split_with_sizes(counts), inputs, strict=True)
        )
        for columns, shape in zip(found, shapes, strict=True)
    ]
