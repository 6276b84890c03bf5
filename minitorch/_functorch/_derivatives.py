"""`grad`, `vjp`, `jvp` and `linearize`: derivatives of functions.

A transform enters a level and wraps its inputs. The function runs on the wrapped tensors, which
record operations, or carry tangents, at this level only. Then the outputs are unwrapped. For the
levels further out this was an ordinary computation, which they can differentiate or batch in turn.
"""

import math
import operator

from minitorch._functorch._checks import (
    JVP,
    check_outputs,
    check_tensors,
    output_and_aux,
    replace_args,
    slice_argnums,
)
from minitorch._functorch._levels import (
    autograd_grad,
    create_differentiable,
    doesnt_support_saved_tensors_hooks,
    grad_level,
    jvp_level,
    lifted,
    unwrap_from_grad,
    without_inference_mode,
    wrap_for_grad,
)
from minitorch._tensor import Tensor
from minitorch.autograd import forward_ad
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import grad_mode_set_to, is_grad_enabled
from minitorch.autograd.levels import current_levels, wrapped_of
from minitorch.core.error_pages import explained
from minitorch.tensors.gradient_checks import value_outside
from minitorch.utils._pytree import tree_flatten, tree_unflatten, treespec_pprint

__all__ = ["debug_unwrap", "jvp", "linearize", "vjp"]


# ---- reverse mode


# docs: transform, grad
@doesnt_support_saved_tensors_hooks
def grad_and_value_impl(func, argnums, has_aux, args, kwargs):
    """Return the gradients and the value of a function with a scalar result.

    The result is (gradients, value), or (gradients, (value, aux)) with `has_aux`.
    """
    call = "grad_and_value(f)(*args)"
    with grad_level() as level:
        args, kwargs = wrap_for_grad((args, kwargs), level)
        chosen = slice_argnums(args, argnums, as_tuple=False)
        create_differentiable(chosen)
        output = func(*args, **kwargs)
        if has_aux:
            output, aux = output_and_aux(output, call)
        if not isinstance(output, Tensor):
            raise RuntimeError(f"{call}: Expected f(*args) to return a Tensor, got {type(output)}")
        if output.dim() != 0:
            raise explained(
                RuntimeError(
                    f"{call}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} dims. "
                    "Maybe you wanted to use the vjp or jacrev APIs instead?"
                ),
                "func-grad-non-scalar",
            )
        flat, spec = tree_flatten(chosen)
        grads = unwrap_from_grad(tree_unflatten(autograd_grad([output], flat), spec), level)
        value = unwrap_from_grad(output, level)
        if has_aux:
            return grads, (value, unwrap_from_grad(aux, level))
        return grads, value


# docs: end
def grad_impl(func, argnums, has_aux, args, kwargs):
    """Return the gradients, or (gradients, aux) with `has_aux`."""
    grads, value = grad_and_value_impl(func, argnums, has_aux, args, kwargs)
    return (grads, value[1]) if has_aux else grads


@doesnt_support_saved_tensors_hooks
def vjp_with_argnums(func, *primals, argnums=None, has_aux=False):
    """Compute `vjp` with respect to the arguments that `argnums` selects; None selects all."""
    call = "vjp(f, *primals)"
    with grad_level() as level:
        primals = wrap_for_grad(primals, level)
        chosen = primals if argnums is None else slice_argnums(primals, argnums, as_tuple=False)
        create_differentiable(chosen)
        output = func(*primals)
        if has_aux:
            output, aux = output_and_aux(output, call)
            aux = unwrap_from_grad(aux, level)
        flat_outputs, output_spec = tree_flatten(output)
        check_outputs(flat_outputs, call)
        flat_chosen, chosen_spec = tree_flatten(chosen)
        for t in flat_outputs:
            # a view of a tensor written to since gets a new node when `grad_fn` is read; that must
            # happen at this level
            _ = t.grad_fn
        value = unwrap_from_grad(output, level)
        for t in flat_outputs:
            if not (t.is_floating_point() or t.is_complex()):
                raise RuntimeError(
                    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with "
                    f"dtype {t.dtype}"
                )

    def vjp_fn(cotangents, retain_graph=True, create_graph=None):
        """Return the gradients for `cotangents`, a tree like the function's outputs."""
        flat, spec = tree_flatten(cotangents)
        if spec != output_spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {treespec_pprint(spec)}, primal output: {treespec_pprint(output_spec)}"
            )
        if retain_graph is not None:
            operator.index(retain_graph)
        create_graph = is_grad_enabled() if create_graph is None else create_graph
        with without_inference_mode(), grad_mode_set_to(create_graph):
            grads = autograd_grad(
                flat_outputs,
                flat_chosen,
                flat,
                retain_graph=retain_graph,
                create_graph=create_graph,
            )
        return tree_unflatten(grads, chosen_spec)

    return (value, vjp_fn, aux) if has_aux else (value, vjp_fn)


def vjp(func, *primals, has_aux=False):
    """Return the value of a function, and a function that multiplies by its transposed Jacobian.

    Parameters
    ----------
    func : callable
        Takes `primals` and returns a tensor or a tree (nested lists, tuples, dictionaries) of
        tensors, floating point or complex.
    *primals : Tensor or tree of Tensor
        The arguments of the function, at which it is differentiated.
    has_aux : bool, default False
        Whether `func` returns ``(output, aux)``, where `aux` is a tree of tensors that is passed
        through.

    Returns
    -------
    output : tree of Tensor
    vjp_fn : callable
        Takes cotangents, a tree like `output`, and returns a tuple with a gradient for each of
        `primals`. It can be called repeatedly, also under `vmap`.
    aux : tree of Tensor
        With `has_aux`.

    Raises
    ------
    ValueError
        When one of `primals` is not a tensor.
    RuntimeError
        When `func` returns something other than tensors, or integer tensors; in `vjp_fn`, when
        the structures differ.

    Notes
    -----
    ``no_grad`` inside `func` is respected, ``no_grad`` around `vjp` is not: a transform always
    computes the derivative.

    Examples
    --------
    >>> import minitorch as torch
    >>> y, vjp_fn = torch.func.vjp(torch.exp, torch.zeros(3))
    >>> vjp_fn(torch.tensor([1.0, 2.0, 3.0]))
    (tensor([1., 2., 3.]),)
    """
    return vjp_with_argnums(func, *primals, has_aux=has_aux)


# ---- forward mode


def _primal_and_tangent(dual, level, strict):
    primal, tangent = forward_ad.unpack_dual(lifted(dual, level))
    if tangent is None:
        if strict:
            raise RuntimeError(
                "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is "
                "not allowed with strict=True."
            )
        tangent = _ops.zeros_like(primal)
    return primal, tangent


def jvp_with_argnums(func, primals, tangents, argnums, *, strict=False, has_aux=False):
    """Compute `jvp` with tangents for the arguments that `argnums` selects; None selects all."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    chosen = primals if argnums is None else slice_argnums(primals, argnums)
    flat_primals, spec = tree_flatten(chosen)
    flat_tangents, tangents_spec = tree_flatten(tangents)
    if spec != tangents_spec:
        raise RuntimeError(
            f"{JVP}: Expected primals and tangents to have the same python structure. For example, if primals is "
            f"a tuple of 3 tensors, tangents also must be. Got primals with structure {spec} and tangents with "
            f"structure {tangents_spec}"
        )
    check_tensors(flat_primals, JVP, "primals")
    check_tensors(flat_tangents, JVP, "tangents")
    with jvp_level() as level:
        pairs = zip(
            wrap_for_grad(flat_primals, level), wrap_for_grad(flat_tangents, level), strict=True
        )
        duals = tree_unflatten([forward_ad.make_dual(p, t) for p, t in pairs], spec)
        if argnums is not None:
            duals = replace_args(wrap_for_grad(primals, level), duals, argnums)
        output = func(*duals)
        if has_aux:
            output, aux = output_and_aux(output, JVP)
            aux = unwrap_from_grad(aux, level)
        flat, output_spec = tree_flatten(output)
        check_outputs(flat, JVP)
        values, derivatives = zip(
            *(_primal_and_tangent(t, level, strict) for t in flat), strict=True
        )
        parts = tree_unflatten(values, output_spec), tree_unflatten(derivatives, output_spec)
        parts = unwrap_from_grad(parts, level)
        return (*parts, aux) if has_aux else parts


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """Return the value of a function and its Jacobian times a vector, in forward mode.

    Parameters
    ----------
    func : callable
        Takes `primals` and returns a tensor or a tree of tensors.
    primals, tangents : tuple of Tensor or of trees of Tensor
        The arguments, and a direction with the same structure, shapes and dtypes.
    strict : bool, default False
        Raise an error for an output that depends on no input; otherwise its derivative is zero.
    has_aux : bool, default False
        Whether `func` returns ``(output, aux)``, where `aux` is a tree of tensors that is passed
        through.

    Returns
    -------
    output, derivative : tree of Tensor
    aux : tree of Tensor
        With `has_aux`.

    Raises
    ------
    RuntimeError
        When `primals` is not a tuple, when structures or shapes differ, when an input or output
        is not a tensor, and inside of `autograd.forward_ad.dual_level`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.func.jvp(torch.exp, (torch.zeros(2),), (torch.tensor([1.0, 3.0]),))
    (tensor([1., 1.]), tensor([1., 3.]))
    """
    return jvp_with_argnums(func, primals, tangents, None, strict=strict, has_aux=has_aux)


def linearize(func, *primals):
    """Return the value of a function, and its derivative there as a linear function of tangents.

    Parameters
    ----------
    func : callable
        Takes `primals` and returns a tensor or a tree of tensors. It is called once.
    *primals : Tensor or tree of Tensor
        The arguments of the function, at which it is differentiated.

    Returns
    -------
    output : tree of Tensor
    jvp_fn : callable
        Takes tangents like `primals`, and returns the Jacobian times these tangents, like `output`.

    Raises
    ------
    RuntimeError
        In `jvp_fn`, when the structure, a shape or a dtype differs from that of `primals`.

    Notes
    -----
    `func` is called in forward mode, and the computation of the tangents is recorded. It is linear,
    so its gradients for a cotangent u are linear in u. Differentiating them once more, with respect
    to u, gives the Jacobian times a tangent without another call of `func`.

    Examples
    --------
    >>> import minitorch as torch
    >>> y, jvp_fn = torch.func.linearize(torch.exp, torch.zeros(2))
    >>> jvp_fn(torch.tensor([1.0, 3.0]))
    tensor([1., 3.])
    """
    flat_primals, spec = tree_flatten(primals)
    for t in flat_primals:
        if isinstance(t, Tensor) and not (t.is_floating_point() or t.is_complex()):
            func(*primals)  # as PyTorch does before it looks at the arguments
            raise ValueError(f"Expected primal to be floating point or complex, but got: {t.dtype}")
    with grad_level() as level:
        # the values of these do not matter, but a formula may treat 0 as a special case
        directions = create_differentiable(
            wrap_for_grad([_ops.ones_like(t) for t in flat_primals], level)
        )
        with jvp_level(linearizes=True) as inner:
            pairs = zip(
                wrap_for_grad(flat_primals, inner), wrap_for_grad(directions, inner), strict=True
            )
            duals = [forward_ad.make_dual(p, t) for p, t in pairs]
            flat_outputs, output_spec = tree_flatten(func(*tree_unflatten(duals, spec)))
            halves = [
                unwrap_from_grad(_primal_and_tangent(t, inner, False), inner)
                if isinstance(t, Tensor)
                else (t, None)
                for t in flat_outputs
            ]
        values = [unwrap_from_grad(t, level) if isinstance(t, Tensor) else t for t, _ in halves]
        outermost = len(current_levels()) == 1
        nans = [t.isnan() if outermost and t is not None else None for _, t in halves]
        nans = [None if t is None else unwrap_from_grad(t, level) for t in nans]
        reached = [t for _, t in halves if t is not None and t.requires_grad]
        cotangents = create_differentiable([_ops.ones_like(t.detach()) for t in reached])
        transposed = autograd_grad(reached, directions, cotangents)

    def jvp_fn(*tangents):
        """Return the Jacobian times `tangents`."""
        flat, given = tree_flatten(tangents)
        if given != spec:
            raise RuntimeError(
                f"Expected the tangents {given} to have the same argspec as the primals {spec}"
            )
        _check_like(flat, flat_primals)
        products = iter(autograd_grad(transposed, cotangents, flat, retain_graph=True))

        def product(value, tangent, lost):
            if tangent is None:
                return value  # no tensor: unchanged, as in PyTorch
            result = next(products) if tangent.requires_grad else _ops.zeros_like(value)
            # a slope that is infinite or nan may reach no direction, but makes any tangent nan
            return result if lost is None else result.masked_fill(lost, math.nan)

        each = zip(values, (t for _, t in halves), nans, strict=True)
        return tree_unflatten([product(*of_one) for of_one in each], output_spec)

    return tree_unflatten(values, output_spec), jvp_fn


def _check_like(tangents, primals):
    for index, (t, primal) in enumerate(zip(tangents, primals, strict=True)):
        for what in ("shape", "device", "dtype"):
            if getattr(t, what) != getattr(primal, what):
                raise RuntimeError(
                    f"tangent:{index} with {what} {getattr(t, what)} in flattened pytree doesn't match the {what} "
                    f"{getattr(primal, what)} of the corresponding primal."
                )


# ---- the rest


def debug_unwrap(tensor, *, recurse=True):
    """Return the value that a tensor inside of a transform wraps, for inspection.

    Parameters
    ----------
    tensor : Tensor
    recurse : bool, default True
        Unwrap the tensor at all levels instead of only the innermost one.

    Returns
    -------
    Tensor
        In `vmap`, the whole batch. Do not compute with it inside of the transform: the results are
        wrong.

    Examples
    --------
    >>> import minitorch as torch
    >>> def f(x):
    ...     print(torch.func.debug_unwrap(x))
    ...     return x.sin()
    >>> y = torch.func.grad(f)(torch.tensor(0.5))
    tensor(0.5000)
    """
    if recurse:
        return value_outside(tensor)
    special = wrapped_of(tensor)
    return tensor if special is None else special.value
