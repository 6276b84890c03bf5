"""Jacobians and Hessians of functions: one product per row, or per column in forward mode."""

from minitorch.autograd import forward_ad as fwAD
from minitorch.autograd.functions.tensor_methods import stack, zeros_like
from minitorch.autograd.grad_mode import enable_grad
from minitorch.autograd.jacobians.arguments import (
    _CONSTANT_JACOBIAN,
    _CUT_OFF,
    _NO_HISTORY,
    _NOT_STRICT,
    _demand_history,
    _given,
    _gradients,
    _leaves,
    _outputs,
    _scalar,
    _tensors,
)
from minitorch.autograd.vmap_steps import _vmap


def jacobian(
    func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"
):
    """Return the Jacobian of a function.

    Parameters
    ----------
    func, inputs, create_graph, strict
        See `vjp`.
    vectorize : bool
        Compute all rows in one call, with `vmap`.
    strategy : {"reverse-mode", "forward-mode"}
        Forward mode computes the columns and requires `vectorize`. It is cheaper when there are
        more outputs than inputs.

    Returns
    -------
    Tensor or tuple
        A tensor whose shape is the output's followed by the input's. Several inputs give a tuple of
        these, several outputs a tuple of such tuples. In forward mode the tuples over the inputs
        are lists.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.functional.jacobian(lambda x: x**2, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function '
            'has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, '
            'prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        _reject_with_forward_mode(NotImplementedError, "create_graph", create_graph)
        _reject_with_forward_mode(RuntimeError, "strict", strict)
        return _by_forward_mode(func, inputs, vectorize)
    with enable_grad():
        inputs, many_inputs = _tensors(inputs, "inputs", "jacobian")
        inputs = _leaves(inputs, create_graph)
        outputs, many_outputs = _outputs(func, inputs, "jacobian")
        _demand_history(outputs, strict, _NO_HISTORY)
        if vectorize:
            if strict:
                raise RuntimeError(
                    "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                    "supported together. Please either set `strict=False` or `vectorize=False`."
                )
            blocks = _rows_at_once(outputs, inputs, create_graph)
        else:
            blocks = [
                _row_by_row(i, output, inputs, create_graph, strict)
                for i, output in enumerate(outputs)
            ]
    blocks = tuple(_given(row, many_inputs, create_graph) for row in blocks)
    return blocks if many_outputs else blocks[0]


def _reject_with_forward_mode(error, name, value):
    if value:
        raise error(
            f'torch.autograd.functional.jacobian: `{name}=True` and `strategy="forward-mode"` are '
            f"not supported together (yet). Please either set `{name}=False` or "
            '`strategy="reverse-mode"`.'
        )


def _row_by_row(i, output, inputs, create_graph, strict):
    """Return the blocks of one output, one for each input."""
    columns = [[] for _ in inputs]
    for element in output.reshape(-1).unbind():
        gradients = _gradients((element,), inputs, None, create_graph, retain_graph=True)
        for j, (column, gradient, x) in enumerate(zip(columns, gradients, inputs, strict=True)):
            if strict and gradient is None:
                raise RuntimeError(
                    f"Output {i} of the user-provided function is independent of input {j}. "
                    f"{_NOT_STRICT}."
                )
            if strict and create_graph and not gradient.requires_grad:
                raise RuntimeError(_CUT_OFF.format(what="jacobian", i=i))
            column.append(zeros_like(x) if gradient is None else gradient)
    return tuple(
        stack(column).view((*output.shape, *x.shape))
        for column, x in zip(columns, inputs, strict=True)
    )


# ---- all rows, or columns, in one call


def _construct_standard_basis_for(tensors, tensor_numels):
    """Return the rows of a unit matrix, split by columns between the tensors."""
    if len(tensors) != len(tensor_numels):
        raise AssertionError(
            "Expected tensors and tensor_numels to have the same length, but got "
            f"{len(tensors)} and {len(tensor_numels)}"
        )
    if not tensors:
        raise AssertionError("Expected at least one tensor")
    total = sum(tensor_numels)
    chunks = tuple(
        x.new_zeros((total, size)) for x, size in zip(tensors, tensor_numels, strict=True)
    )
    start = 0
    for chunk, size in zip(chunks, tensor_numels, strict=True):
        chunk[start : start + size].diagonal().fill_(1)
        start += size
    return chunks


def _rows_at_once(outputs, inputs, create_graph):
    """Return the blocks of all outputs, from one batched gradient."""
    sizes = [output.numel() for output in outputs]
    basis = _construct_standard_basis_for(outputs, sizes)
    flat = tuple(output.reshape(-1) for output in outputs)

    gradients = _gradients(
        flat, inputs, basis, create_graph, retain_graph=True, is_grads_batched=True
    )
    columns = []
    for rows, x in zip(gradients, inputs, strict=True):
        if rows is None:
            rows = zeros_like(x).expand((sum(sizes), *x.shape))
        parts = zip(rows.split(sizes), outputs, strict=True)
        columns.append([part.view((*output.shape, *x.shape)) for part, output in parts])
    return list(zip(*columns, strict=True))


def _by_forward_mode(func, inputs, vectorize):
    """Return the Jacobian, computed from one tangent per column."""
    inputs, many_inputs = _tensors(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented "
            "for `vectorize=True`."
        )
    sizes = [x.numel() for x in inputs]
    basis = _construct_standard_basis_for(inputs, sizes)
    found = []

    def jvp(*tangents):
        with fwAD.dual_level():
            duals = (
                fwAD.make_dual(x, tangent.view_as(x))
                for x, tangent in zip(inputs, tangents, strict=True)
            )
            outputs, many_outputs = _tensors(func(*duals), "outputs", None)
            pairs = [fwAD.unpack_dual(output) for output in outputs]
            found[:] = [p for p, _ in pairs], many_outputs
            return tuple(zeros_like(p) if t is None else t for p, t in pairs)

    columns = _vmap(jvp)(*basis)
    outputs, many_outputs = found
    blocks = []
    for rows, output in zip(columns, outputs, strict=True):
        parts = zip(rows.split(sizes), inputs, strict=True)
        row = [
            part.permute((*range(1, part.ndim), 0)).reshape((*output.shape, *x.shape))
            for part, x in parts
        ]
        blocks.append(row if many_inputs else row[0])
    if not many_outputs:
        return blocks[0]
    return blocks if many_inputs else tuple(blocks)


def hessian(
    func,
    inputs,
    create_graph=False,
    strict=False,
    vectorize=False,
    outer_jacobian_strategy="reverse-mode",
):
    """Return the Hessian of a function with a single-element output.

    Parameters
    ----------
    func, inputs, create_graph, strict, vectorize
        See `jacobian`.
    outer_jacobian_strategy : {"reverse-mode", "forward-mode"}
        How the Jacobian of the gradient is computed; see `jacobian`.

    Returns
    -------
    Tensor or tuple of tuple of Tensor
        A tensor for a single input. For several inputs, a tuple with a tuple of tensors for
        each.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.functional.hessian(lambda x: (x**3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    inputs, many = _tensors(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def scalar(*x):
        outputs, many_outputs = _outputs(func, x, "hessian")
        _demand_history(outputs, strict, _NO_HISTORY)
        _scalar(outputs, many_outputs, "hessian")
        return outputs[0].squeeze()

    def gradient(*x):
        if outer_jacobian_strategy == "forward-mode":
            # otherwise the inner Jacobian would detach them, which drops their tangents
            for item in x:
                if not item.requires_grad:
                    item.requires_grad = True
        result = jacobian(scalar, x, create_graph=True)
        _demand_history(result, strict, _CONSTANT_JACOBIAN)
        return result

    result = jacobian(
        gradient,
        inputs,
        create_graph=create_graph,
        strict=strict,
        vectorize=vectorize,
        strategy=outer_jacobian_strategy,
    )
    return result if many else result[0][0]
