"""Products with Jacobians and Hessians of functions, and these matrices themselves.

All of it is the backward pass. A product of a vector with a Jacobian is one; a product of a Jacobian
with a vector is one through another, for the gradient ``v -> v J`` is linear in ``v`` and its own
transpose is ``J``; a matrix is a product for each of its rows.

References
----------
PyTorch's counterpart is ``torch/autograd/functional.py``. The trick of two backward passes: Townsend,
"A new trick for calculating Jacobian vector products", 2017.
"""

from minitorch.autograd import grad as _grad
from minitorch.autograd._jacobian_vectorized import columns_of_blocks, rows_of_blocks
from minitorch.autograd.functions.tensor_methods import ones_like, stack, zeros_like
from minitorch.autograd.grad_mode import enable_grad
from minitorch.autograd.variable import TensorBase

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

_NOT_STRICT = "This is not allowed in strict mode"
_NO_HISTORY = (
    "Output {i} of the user-provided function does not require gradients. The outputs must be "
    "computed in a differentiable manner from the input when running in strict mode."
)
_CONSTANT_JACOBIAN = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    f"respect to input {{i}} is independent of the input. {_NOT_STRICT}. You should ensure that your "
    "function is twice differentiable and that the jacobian depends on the inputs (this would be "
    "violated by a linear function for example)."
)

# why a gradient that is None, or has no history where it needs one, is refused in strict mode
_MISSING = {
    "back": f"The output of the user-provided function is independent of input {{i}}. {_NOT_STRICT}.",
    "back_trick": "The gradient with respect to the input is independent of entry {i} in the "
    "grad_outputs when using the double backward trick to compute forward mode gradients. "
    f"{_NOT_STRICT}.",
    "double_back": "The jacobian of the user-provided function is independent of input {i}. "
    f"{_NOT_STRICT}.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {i} in "
    f"the grad_jacobian. {_NOT_STRICT} as it prevents from using the double backward trick to "
    "replace forward mode AD.",
}
_CUT_OFF = (
    "The {what} of the user-provided function is independent of input {i}. "
    f"{_NOT_STRICT} when create_graph=True."
)


# --------------------------------------------------------------------------------------------------
# Arguments
# --------------------------------------------------------------------------------------------------


def _tensors(value, name, function):
    """A tuple of tensors, and whether it was one."""
    single = not isinstance(value, tuple)
    values = (value,) if single else value
    for index, item in enumerate(values):
        if not isinstance(item, TensorBase):
            where = f"given {name}" if single else f"value at index {index}"
            raise TypeError(
                f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but "
                f"the {where} has type {type(item)}."
            )
    return values, not single


def _leaves(inputs, create_graph):
    """The inputs as tensors of their own, so that what a function captured stays apart from them."""
    return tuple(
        x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_()
        for x in inputs
    )


def _outputs(func, inputs, function):
    name = f"outputs of the user-provided function given to {function}"
    values = func(*inputs)
    single = not isinstance(values, tuple)
    for index, item in enumerate((values,) if single else values):
        if not isinstance(item, TensorBase):
            of = "outputs of the user-provided function"
            where = f"given {of}" if single else f"value at index {index}"
            raise TypeError(
                f"The {name} must be either a Tensor or a tuple of Tensors but the {where} has "
                f"type {type(item)}."
            )
    return ((values,) if single else values), not single


def _vector(v, like, many, function):
    """The vector of a product, of the shape of `like`; None if it was left out."""
    if v is None:
        return None
    v, _ = _tensors(v, "v", function)
    if len(v) != len(like):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}."
            if many
            else "The given v should contain a single Tensor."
        )
    for index, (mine, other) in enumerate(zip(v, like, strict=True)):
        if mine.size() != other.size():
            entry = f"Entry {index} in " if many else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {other.size()} but got {mine.size()}."
            )
    return v


def _one_element(tensors):
    return len(tensors) == 1 and tensors[0].nelement() == 1


def _scalar(outputs, function):
    """The only output, of one element."""
    if len(outputs) != 1:
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {function} should contain a single element"
        )


# --------------------------------------------------------------------------------------------------
# Gradients
# --------------------------------------------------------------------------------------------------


def _gradients(outputs, inputs, grad_outputs=None, create_graph=False):
    """The gradients of those outputs that have a history; None where there is none."""
    grad_outputs = grad_outputs or (None,) * len(outputs)
    pairs = [
        (output, gradient)
        for output, gradient in zip(outputs, grad_outputs, strict=True)
        if output is not None and output.requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    outputs, grad_outputs = zip(*pairs, strict=True)
    return _grad(outputs, inputs, grad_outputs, create_graph=create_graph, allow_unused=True)


def _filled(gradients, like, strict, create_graph, stage):
    """The gradients with zeros for None; refused in strict mode."""
    for i, gradient in enumerate(gradients):
        if strict and gradient is None:
            raise RuntimeError(_MISSING[stage].format(i=i))
        if strict and create_graph and not gradient.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(_CUT_OFF.format(what=what, i=i))
    return tuple(
        zeros_like(x) if gradient is None else gradient
        for gradient, x in zip(gradients, like, strict=True)
    )


def _demand_history(tensors, strict, text):
    for i, tensor in enumerate(tensors):
        if strict and (tensor is None or not tensor.requires_grad):
            raise RuntimeError((_MISSING["back"] if tensor is None else text).format(i=i))


def _given(tensors, many, create_graph):
    """As the user gets them: a tuple or a tensor, with history only if it was asked for."""
    if not create_graph:
        tensors = tuple(tensor.detach() for tensor in tensors)
    return tensors if many else tensors[0]


# --------------------------------------------------------------------------------------------------
# Products
# --------------------------------------------------------------------------------------------------


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """A vector times the Jacobian of a function.

    Parameters
    ----------
    func : callable
        From tensors to a tensor or a tuple of such.
    inputs : Tensor or tuple of Tensor
    v : Tensor or tuple of Tensor, optional
        Of the outputs' shapes; 1 for a single output of one element.
    create_graph : bool
        Record the results, so that they can be differentiated.
    strict : bool
        Raise RuntimeError where an output does not depend on an input, instead of giving zeros.

    Returns
    -------
    (outputs, product)
        The product has the inputs' shapes.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.functional.vjp(lambda x: (x**2).sum(), torch.tensor([1.0, 2.0]))
    (tensor(5.), tensor([2., 4.]))
    """
    with enable_grad():
        inputs, many_inputs = _tensors(inputs, "inputs", "vjp")
        inputs = _leaves(inputs, create_graph)
        outputs, many_outputs = _outputs(func, inputs, "vjp")
        _demand_history(outputs, strict, _NO_HISTORY)
        v = _vector(v, outputs, many_outputs, "vjp")
        if v is None and not _one_element(outputs):
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor "
                "with a single element."
            )
        product = _gradients(outputs, inputs, v, create_graph)
        product = _filled(product, inputs, strict, create_graph, "back")
    return _given(outputs, many_outputs, create_graph), _given(product, many_inputs, create_graph)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The Jacobian of a function times a vector.

    Parameters
    ----------
    func, inputs, create_graph, strict
        As of `vjp`.
    v : Tensor or tuple of Tensor, optional
        Of the inputs' shapes; 1 for a single input of one element.

    Returns
    -------
    (outputs, product)
        The product has the outputs' shapes.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    >>> torch.autograd.functional.jvp(lambda x: x**2, x, v)
    (tensor([1., 4.]), tensor([2., 2.]))
    """
    with enable_grad():
        inputs, many_inputs = _tensors(inputs, "inputs", "jvp")
        v = _vector(v, inputs, many_inputs, "jvp")
        if v is None and not _one_element(inputs):
            raise RuntimeError(
                "The vector v can only be None if the input to the user-provided function is a single "
                "Tensor with a single element."
            )
        inputs = _leaves(inputs, create_graph)
        outputs, many_outputs = _outputs(func, inputs, "jvp")
        _demand_history(outputs, strict, _NO_HISTORY)
        weights = tuple(zeros_like(output).requires_grad_() for output in outputs)
        linear = _gradients(outputs, inputs, weights, create_graph=True)
        _demand_history(linear, strict, _MISSING["back"])
        product = _gradients(linear, weights, v or _ones(inputs), create_graph)
        product = _filled(product, outputs, strict, create_graph, "back_trick")
    return _given(outputs, many_outputs, create_graph), _given(product, many_outputs, create_graph)


def _ones(tensors):
    return tuple(ones_like(tensor) for tensor in tensors)


def _jacobian_of_scalar(func, inputs, v, create_graph, strict, function):
    """What `vhp` and `hvp` begin with."""
    inputs, many = _tensors(inputs, "inputs", function)
    v = _vector(v, inputs, many, function)
    if v is None:
        if not _one_element(inputs):
            raise RuntimeError(
                "The vector v can only be None if the input to the user-provided function is a single "
                "Tensor with a single element."
            )
        v = _ones(inputs)
    inputs = _leaves(inputs, create_graph)
    outputs, many_outputs = _outputs(func, inputs, function)
    _demand_history(outputs, strict, _NO_HISTORY)
    _scalar(outputs, function)
    gradients = _gradients(outputs, inputs, create_graph=True)
    _demand_history(gradients, strict, _CONSTANT_JACOBIAN)
    return inputs, many, v, outputs, many_outputs, gradients


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """A vector times the Hessian of a function of one element; as `vjp`, and faster than `hvp`.

    Returns
    -------
    (output, product)
        The product has the inputs' shapes.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    >>> torch.autograd.functional.vhp(lambda x: (x**3).sum(), x, v)
    (tensor(9.), tensor([6., 6.]))
    """
    with enable_grad():
        inputs, many, v, outputs, many_outputs, gradients = _jacobian_of_scalar(
            func, inputs, v, create_graph, strict, "vhp"
        )
        product = _gradients(gradients, inputs, v, create_graph)
        product = _filled(product, inputs, strict, create_graph, "double_back")
    return _given(outputs, many_outputs, create_graph), _given(product, many, create_graph)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The Hessian of a function of one element times a vector; as `vhp`, by the trick of `jvp`.

    Returns
    -------
    (output, product)
        The product has the inputs' shapes.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    >>> torch.autograd.functional.hvp(lambda x: (x**3).sum(), x, v)
    (tensor(9.), tensor([6., 6.]))
    """
    with enable_grad():
        inputs, many, v, outputs, many_outputs, gradients = _jacobian_of_scalar(
            func, inputs, v, create_graph, strict, "hvp"
        )
        weights = tuple(zeros_like(x).requires_grad_() for x in inputs)
        linear = _gradients(gradients, inputs, weights, create_graph=True)
        _demand_history(linear, strict, _CONSTANT_JACOBIAN)
        product = _gradients(linear, weights, v, create_graph)
        product = _filled(product, inputs, strict, create_graph, "double_back_trick")
    return _given(outputs, many_outputs, create_graph), _given(product, many, create_graph)


# --------------------------------------------------------------------------------------------------
# Matrices
# --------------------------------------------------------------------------------------------------


def jacobian(
    func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"
):
    """The Jacobian of a function.

    Parameters
    ----------
    func, inputs, create_graph, strict
        As of `vjp`.
    vectorize : bool
        Whether all rows are computed at once, by `vmap`, and not one after the other.
    strategy : {"reverse-mode", "forward-mode"}
        With `vectorize`, whether a backward pass computes the rows or a forward pass the columns.

    Returns
    -------
    Tensor or tuple
        Of the shape of the output followed by that of the input; a tuple for several inputs, and of
        such for several outputs.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.functional.jacobian(lambda x: x**2, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    _check_strategy(strategy, create_graph, strict, vectorize)
    if strategy == "forward-mode":
        return _forward_jacobian(func, inputs)
    with enable_grad():
        inputs, many_inputs = _tensors(inputs, "inputs", "jacobian")
        inputs = _leaves(inputs, create_graph)
        outputs, many_outputs = _outputs(func, inputs, "jacobian")
        _demand_history(outputs, strict, _NO_HISTORY)
        if strict and vectorize:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                "supported together. Please either set `strict=False` or `vectorize=False`."
            )
        if vectorize:
            rows = rows_of_blocks(outputs, inputs, create_graph)
        else:
            rows = [_rows(i, output, inputs, create_graph, strict) for i, output in enumerate(outputs)]
    blocks = tuple(_given(row, many_inputs, create_graph) for row in rows)
    return blocks if many_outputs else blocks[0]


def _forward_jacobian(func, inputs):
    many = []

    def results(*duals):
        outputs, many_outputs = _outputs(func, duals, "jacobian")
        many.append(many_outputs)
        return outputs

    inputs, many_inputs = _tensors(inputs, "inputs", "jacobian")
    rows = columns_of_blocks(results, inputs)
    blocks = tuple(row if many_inputs else row[0] for row in rows)
    return blocks if many[0] else blocks[0]


def _rows(i, output, inputs, create_graph, strict):
    """The blocks of one output, one for each input."""
    elements = output.reshape(-1)
    gradients = [
        _grad(element, inputs, retain_graph=True, create_graph=create_graph, allow_unused=True)
        if output.requires_grad
        else (None,) * len(inputs)
        for element in elements.unbind()
    ]
    for j in range(len(inputs)):
        for row in gradients:
            if strict and row[j] is None:
                raise RuntimeError(
                    f"Output {i} of the user-provided function is independent of input {j}. "
                    f"{_NOT_STRICT}."
                )
            if strict and create_graph and not row[j].requires_grad:
                raise RuntimeError(
                    "The jacobian of the user-provided function is independent of input "
                    f"{i}. {_NOT_STRICT} when create_graph=True."
                )
    blocks = []
    for j, x in enumerate(inputs):
        column = [zeros_like(x) if row[j] is None else row[j] for row in gradients]
        empty = x.new_zeros((0, *x.shape))
        block = stack(column) if column else empty
        blocks.append(block.view((*output.shape, *x.shape)))
    return tuple(blocks)


def _check_strategy(strategy, create_graph, strict, vectorize):
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function '
            'has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, '
            'prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        for name, given in (("create_graph", create_graph), ("strict", strict)):
            if given:
                error = NotImplementedError if name == "create_graph" else RuntimeError
                raise error(
                    f"torch.autograd.functional.jacobian: `{name}=True` and "
                    '`strategy="forward-mode"` are not supported together (yet). Please either set '
                    f'`{name}=False` or `strategy="reverse-mode"`.'
                )
        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly "
                "implemented for `vectorize=True`."
            )


def hessian(
    func,
    inputs,
    create_graph=False,
    strict=False,
    vectorize=False,
    outer_jacobian_strategy="reverse-mode",
):
    """The Hessian of a function of one element.

    Parameters
    ----------
    func, inputs, create_graph, strict, vectorize
        As of `jacobian`.
    outer_jacobian_strategy : {"reverse-mode", "forward-mode"}
        That of the Jacobian of the gradient.

    Returns
    -------
    Tensor or tuple of tuple of Tensor
        A tuple for each of several inputs.

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
        outputs, _ = _outputs(func, x, "hessian")
        _demand_history(outputs, strict, _NO_HISTORY)
        _scalar(outputs, "hessian")
        return outputs[0].squeeze()

    def gradient(*x):
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
