"""Jacobians and Hessians of functions, and their products with vectors.

Everything is computed by backward passes. The product ``v J`` of a vector with a Jacobian takes
one. It is linear in ``v``, so a backward pass through this one gives the product ``J v``. A whole
matrix (`autograd/jacobians/matrices.py`) takes one product ``v J`` for each of its rows.

References ---------- PyTorch's counterpart is ``torch/autograd/functional.py``. The trick of two
backward passes: Townsend, "A new trick for calculating Jacobian vector products", 2017.
"""

from minitorch.autograd.functions.creation import zeros_like
from minitorch.autograd.grad_mode import enable_grad
from minitorch.autograd.jacobians.arguments import (
    _CONSTANT_GRADIENT,
    _CONSTANT_JACOBIAN,
    _NO_HISTORY,
    _demand_history,
    _filled,
    _given,
    _gradients,
    _leaves,
    _one_element,
    _outputs,
    _scalar,
    _tensors,
    _vector,
)
from minitorch.autograd.jacobians.matrices import (
    _construct_standard_basis_for,  # noqa: F401 (a name of PyTorch's)
    hessian,
    jacobian,
)
from minitorch.autograd.jacobians.private_names import (  # noqa: F401
    _as_tuple,
    _as_tuple_nocheck,
    _grad_postprocess,
    _grad_preprocess,
    _tuple_postprocess,
)

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """Compute the product of a vector and the Jacobian of a function.

    Parameters
    ----------
    func : callable
        A function from tensors to a tensor or a tuple of tensors.
    inputs : Tensor or tuple of Tensor
    v : Tensor or tuple of Tensor, optional
        The vector, with the shapes of the outputs. Default: 1, for a single output of one element.
    create_graph : bool
        Record the results, so that they can be differentiated.
    strict : bool
        Raise RuntimeError if an output does not depend on an input, instead of returning zeros.

    Returns
    -------
    (outputs, product)
        The product has the shapes of the inputs.

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
        v = _vector(v, outputs, many_outputs, "vjp", create_graph)
        if v is None and not _one_element(outputs):
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor "
                "with a single element."
            )
        product = _gradients(outputs, inputs, v, create_graph)
        product = _filled(product, inputs, strict, create_graph, "back")
    return _given(outputs, many_outputs, create_graph), _given(product, many_inputs, create_graph)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """Compute the product of the Jacobian of a function and a vector.

    Parameters
    ----------
    func, inputs, create_graph, strict
        As for `vjp`.
    v : Tensor or tuple of Tensor, optional
        The vector, with the shapes of the inputs. Default: 1, for a single input of one element.

    Returns
    -------
    (outputs, product)
        The product has the shapes of the outputs.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
    >>> torch.autograd.functional.jvp(lambda x: x**2, x, v)
    (tensor([1., 4.]), tensor([2., 2.]))
    """
    with enable_grad():
        inputs, many_inputs = _tensors(inputs, "inputs", "jvp")
        inputs = _leaves(inputs, create_graph)
        v = _vector(v, inputs, many_inputs, "jvp", create_graph)
        if v is None and not _one_element(inputs):
            raise RuntimeError(
                "The vector v can only be None if the input to the user-provided function is a single "
                "Tensor with a single element."
            )
        outputs, many_outputs = _outputs(func, inputs, "jvp")
        _demand_history(outputs, strict, _NO_HISTORY)
        weights = tuple(zeros_like(output, requires_grad=True) for output in outputs)
        linear = _gradients(outputs, inputs, weights, create_graph=True)
        _demand_history(linear, strict, _CONSTANT_GRADIENT)
        product = _gradients(linear, weights, v, create_graph)
        product = _filled(product, outputs, strict, create_graph, "back_trick")
    return _given(outputs, many_outputs, create_graph), _given(product, many_outputs, create_graph)


def _jacobian_of_scalar(func, inputs, v, create_graph, strict, function):
    """Check the arguments of `vhp` or `hvp`, and compute the outputs and the recorded gradients."""
    inputs, many = _tensors(inputs, "inputs", function)
    inputs = _leaves(inputs, create_graph)
    v = _vector(v, inputs, many, function, create_graph)
    if v is None and not _one_element(inputs):
        raise RuntimeError(
            "The vector v can only be None if the input to the user-provided function is a single "
            "Tensor with a single element."
        )
    outputs, many_outputs = _outputs(func, inputs, function)
    _demand_history(outputs, strict, _NO_HISTORY)
    _scalar(outputs, many_outputs, function)
    gradients = _gradients(outputs, inputs, create_graph=True)
    _demand_history(gradients, strict, _CONSTANT_JACOBIAN)
    return inputs, many, v, outputs, many_outputs, gradients


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """Compute the product of a vector and the Hessian of a function with one output of one element.

    The arguments are those of `jvp`. It is faster than `hvp`.

    Parameters
    ----------
    func : callable
        A function of tensors that returns a tensor with one element.
    inputs : Tensor or tuple of Tensor
        The arguments of `func`, of any shape and a floating-point dtype.
    v : Tensor or tuple of Tensor, optional
        The vector, with the shapes of `inputs`; it may be left out only if the input has one
        element.
    create_graph : bool, default False
        Record the computation, so that the result can be differentiated.
    strict : bool, default False
        Raise RuntimeError if an output does not depend on an input; by default such a product is
        zero.

    Returns
    -------
    (output, product)
        The product has the shapes of the inputs.

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
    """Compute the product of the Hessian of a function, as for `vhp`, and a vector.

    The arguments are those of `jvp`, and it runs backward through a backward pass as `jvp` does.

    Parameters
    ----------
    func : callable
        A function of tensors that returns a tensor with one element.
    inputs : Tensor or tuple of Tensor
        The arguments of `func`, of any shape and a floating-point dtype.
    v : Tensor or tuple of Tensor, optional
        The vector, with the shapes of `inputs`; it may be left out only if the input has one
        element.
    create_graph : bool, default False
        Record the computation, so that the result can be differentiated.
    strict : bool, default False
        Raise RuntimeError if an output does not depend on an input; by default such a product is
        zero.

    Returns
    -------
    (output, product)
        The product has the shapes of the inputs.

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
        weights = tuple(zeros_like(x, requires_grad=True) for x in inputs)
        linear = _gradients(gradients, inputs, weights, create_graph=True)
        product = _gradients(linear, weights, v, create_graph)
        product = _filled(product, inputs, strict, create_graph, "double_back_trick")
    return _given(outputs, many_outputs, create_graph), _given(product, many, create_graph)
