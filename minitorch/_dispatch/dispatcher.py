"""Entry points of the dispatch to modes, classes and a program's kernels.

The recording wrappers (`autograd/python_dispatch.pyx`) call these functions when a mode, a class
with ``__torch_dispatch__`` or a program's kernel is present.
"""

from minitorch._dispatch import (
    creation,
    decompositions,
    gradients,  # noqa: F401 (registers the rules of gradients)
    modes,
    overloads,
    records,  # noqa: F401 (reports arguments to observers)
    replacements,
)
from minitorch._dispatch.replacements import kernels_in_place
from minitorch._dispatch.results import outcome
from minitorch._tensor import Tensor
from minitorch.autograd.levels import is_hidden, outside_of_levels, wrap_tensor, wrapped_of
from minitorch.autograd.math_bits import any_bits, bits_of
from minitorch.autograd.operators import _operator
from minitorch.autograd.python_dispatch import asked_classes
from minitorch.autograd.upward_calls import transforms

# operators that accept lazy conjugates and negatives, as in PyTorch; so does every view
_TAKES_BOTH = frozenset(
    "clone copy detach empty_like full_like linalg_solve_triangular repeat_interleave reshape resize "
    "resolve_conj resolve_neg _unsafe_view".split()
)
_TAKES_CONJ = _TAKES_BOTH | frozenset("addmm baddbmm bmm conj_physical dot mm vdot".split())


def _lazy(operator, argument):
    """Return whether an argument has a lazy conjugate or negative that the operator cannot read."""
    conj, neg = bits_of(argument)
    return conj and operator.name not in _TAKES_CONJ or neg and operator.name not in _TAKES_BOTH


def _resolved(operator, argument):
    """Materialize lazy conjugates and negatives of an argument by a ``clone`` that modes see."""
    if isinstance(argument, Tensor):
        return _operator("clone")(argument, 1) if _lazy(operator, argument) else argument
    if type(argument) is list:
        return [_resolved(operator, item) for item in argument]
    return argument


def _by_kernel(find, operator, arguments):
    """Compute a call by the kernel ``find(overload, tensors)``, or return None without one."""
    call = overloads.described(operator, arguments)
    if call is None:
        return None
    overload, args, kwargs = call
    kernel = find(overload, modes.tensors_in(arguments))
    return None if kernel is None else outcome(overload, kernel(*args, **kwargs))


def kernel_before_recording(operator, arguments):
    return (
        _by_kernel(replacements.above_recording, operator, arguments) if kernels_in_place else None
    )


def before_recording(operator, arguments):
    """Compute a call before autograd records it, by a program's kernel or a decomposition.

    Return None if there is neither.
    """
    result = kernel_before_recording(operator, arguments)
    return decompositions.decompose(operator, arguments) if result is None else result


def dispatch(operator, arguments):
    if kernels_in_place:
        result = _by_kernel(replacements.for_what_tensors_are, operator, arguments)
        if result is not None:
            return result
    lazy = not operator.view and any_bits(arguments)
    if not lazy or not any(_lazy(operator, t) for t in modes.tensors_in(arguments)):
        return _dispatch_resolved(operator, arguments)
    resolved = tuple(_resolved(operator, argument) for argument in arguments)
    result = _dispatch_resolved(operator, resolved)
    if operator.form and result is not None:
        place = len(arguments) - 1 if operator.form == "_out" else 0
        if resolved[place] is not arguments[place]:
            arguments[place].copy_(resolved[place])
    return result


def _dispatch_resolved(operator, arguments):
    call = overloads.described(operator, arguments)
    if call is None:
        if asked_classes(arguments):
            raise NotImplementedError(f"{operator} of a tensor of a class with __torch_dispatch__")
        return None
    return modes.answer(call[0], arguments, *call[1:])


def create(name, args, kwargs):
    call = creation.described(name, args, kwargs)
    if call is None:
        return None
    overload, given, options, requires_grad = call
    kernel = replacements.added(overload) if kernels_in_place else None
    if kernel is not None:
        return outcome(overload, kernel(*given, **options))
    result = _made(overload, given, options)
    return result.requires_grad_() if requires_grad and result is not None else result


def _made(overload, given, options):
    """Dispatch the creation of a tensor; inside `vmap`, create it for the whole batch at once."""
    if overload._schema.name.startswith("aten::rand"):
        return transforms().draw(lambda args: modes.answer(overload, args, args, options), given)
    like = given[0] if given else None
    special = wrapped_of(like)
    if special is None:
        return modes.answer(overload, (*given, *options.values()), given, options)
    with outside_of_levels():
        return _made_like(special, overload, given[1:], options)


def _made_like(like, overload, rest, options):
    """Dispatch the creation of a tensor like a wrapped one by calling it with the wrapped value."""
    level, dim = like.level, like.dim
    batched = dim >= 0 and level.alive and not is_hidden(level)
    if batched and overload._schema.name.startswith("aten::new_"):
        size, *others = rest
        dim, rest = 0, ([level.batch_size, *size], *others)
    result = _made(overload, (like.value, *rest), options)
    return wrap_tensor(result, level, dim) if batched and result is not None else result
