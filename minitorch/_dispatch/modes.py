"""The modes of ``__torch_dispatch__`` that are entered, and asking them and the classes.

The mode entered last is asked first, and is not entered while it runs: what it calls goes to the one
below. Then come the classes of the tensors, subclasses before bases; what says NotImplemented leaves it
to the next. Nothing is recorded in there: the tensors that were given, and what is returned, are.
"""

import contextlib
import functools
import threading

from minitorch._dispatch import (
    creation,
    decompositions,
    gradients,  # noqa: F401 (tells the rules of gradients)
    overloads,
    records,  # noqa: F401 (tells observers what operators are given)
    replacements,
)
from minitorch._dispatch.replacements import kernels_in_place as _kernels_in_place
from minitorch._tensor import Tensor
from minitorch.autograd import operators, python_dispatch
from minitorch.autograd.functions.overridable import watch_calls
from minitorch.autograd.levels import Wrapped, is_hidden, outside_of_levels, wrap_tensor
from minitorch.autograd.math_bits import any_bits, bits_of
from minitorch.autograd.operators import _operator
from minitorch.autograd.python_dispatch import asked_classes
from minitorch.autograd.special import special_of


class _Thread(threading.local):
    def __init__(self):
        self.stack = []


_thread = _Thread()


def stack():
    """The modes of this thread, the innermost last."""
    return list(_thread.stack)


_LAST_ASKED = (
    "fake",
    "proxy",
)  # the kinds that are asked after those of programs, the last one first


def _rank(mode):
    key = getattr(mode, "_mode_key", None)
    return _LAST_ASKED.index(key) if key in _LAST_ASKED else len(_LAST_ASKED)


def push(mode):
    """Enter a mode; below those of programs if it is of a kind that is asked after them."""
    python_dispatch.enter_mode()
    watch_calls(1)
    place = len(_thread.stack)
    while place and _rank(_thread.stack[place - 1]) > _rank(mode):
        place -= 1
    _thread.stack.insert(place, mode)


def leave(mode):
    """Leave a mode, wherever it stands."""
    for place in reversed(range(len(_thread.stack))):
        if _thread.stack[place] is mode:
            del _thread.stack[place]
            python_dispatch.exit_mode()
            watch_calls(-1)
            return
    raise AssertionError("the mode is not entered")


def pop():
    """Leave the innermost mode; gives it."""
    if not _thread.stack:
        raise RuntimeError("trying to pop from empty mode stack")
    mode = _thread.stack.pop()
    python_dispatch.exit_mode()
    watch_calls(-1)
    return mode


@contextlib.contextmanager
def popped():
    """Inside, the innermost mode is not entered."""
    mode = pop()
    try:
        yield mode
    finally:
        push(mode)


@contextlib.contextmanager
def disabled():
    """Inside, no mode and no class is asked."""
    python_dispatch.switch_dispatch(True)
    try:
        yield
    finally:
        python_dispatch.switch_dispatch(False)


def _tensors(arguments):
    found = []
    for argument in arguments:
        if isinstance(argument, Tensor):
            found.append(argument)
        elif isinstance(argument, (list, tuple)):
            found.extend(_tensors(argument))
    return found


def _method(overload, cls, asked):
    """``__torch_dispatch__``, or the rule that the program registered for an operator of its own."""
    rule = overload._kernels.dispatch_rules.get(cls) if overload._kernels is not None else None
    if rule is not None:
        return functools.partial(rule, asked)
    method = asked.__torch_dispatch__
    if not isinstance(asked, type) and isinstance(getattr(method, "__self__", None), type):
        raise RuntimeError(
            "Defining your mode's `__torch_dispatch__` as a classmethod is not supported, please "
            "make it a plain method"
        )
    return method


def ask(overload, arguments, args, kwargs, title=None):
    """What the mode or a class makes of a call.

    Raises
    ------
    TypeError
        All of them return NotImplemented.
    """
    asked = asked_classes(arguments)
    types = tuple([type(t) for t in asked])
    refused = []
    if _thread.stack:
        mode = pop()
        try:
            result = _method(overload, type(mode), mode)(overload, types, args, kwargs)
        finally:
            push(mode)
        if result is not NotImplemented:
            return result
        refused.append(f"  - mode object {mode!r}")
    for t in asked:
        result = _method(overload, type(t), type(t))(overload, types, args, kwargs)
        if result is not NotImplemented:
            return result
        refused.append(f"  - tensor subclass {type(t)!r}")
    raise TypeError(
        f"Multiple dispatch failed for '{title or f'torch._ops.{overload}'}'; all __torch_dispatch__ handlers returned "
        "NotImplemented:\n\n"
        + "\n".join(refused)
        + "\n\nFor more information, try re-running with "
        "TORCH_LOGS=not_implemented"
    )


def _asked(overload, arguments, args, kwargs):
    """What a mode, a class or a kernel of the program's makes of a call; None: there is none of them."""
    if _thread.stack or asked_classes(arguments):
        return overloads.outcome(overload, ask(overload, arguments, args, kwargs))
    if not _kernels_in_place:
        return None
    kernel = replacements.for_device(overload, _tensors(arguments))
    return None if kernel is None else overloads.outcome(overload, kernel(*args, **kwargs))


# what takes lazy conjugates and negatives as they are, as in PyTorch; so does every view
_TAKES_BOTH = frozenset(
    "clone copy detach empty_like full_like linalg_solve_triangular repeat_interleave reshape resize "
    "resolve_conj resolve_neg _unsafe_view".split()
)
_TAKES_CONJ = _TAKES_BOTH | frozenset("addmm baddbmm bmm conj_physical dot mm vdot".split())


def _lazy(operator, argument):
    """Whether an argument is to be read as conjugated or negated, by an operator that cannot."""
    conj, neg = bits_of(argument)
    return conj and operator.name not in _TAKES_CONJ or neg and operator.name not in _TAKES_BOTH


def _resolved(operator, argument):
    """An argument with its elements as they are to be read, by an operator that is seen too."""
    if isinstance(argument, Tensor):
        return _operator("clone")(argument, 1) if _lazy(operator, argument) else argument
    if type(argument) is list:
        return [_resolved(operator, item) for item in argument]
    return argument


def _by_kernel(find, operator, arguments):
    """What a kernel of the program's makes of a call, which ``find(overload, tensors)`` gives; None: there is none."""
    call = overloads.described(operator, arguments)
    if call is None:
        return None
    overload, args, kwargs = call
    kernel = find(overload, _tensors(arguments))
    return None if kernel is None else overloads.outcome(overload, kernel(*args, **kwargs))


def _before_recording(operator, arguments):
    """What is made of a call where nothing is recorded yet: by the program, or by the operators it is composed of."""
    if _kernels_in_place:
        result = _by_kernel(replacements.above_recording, operator, arguments)
        if result is not None:
            return result
    return decompositions.decompose(operator, arguments)


def _dispatch(operator, arguments):
    if _kernels_in_place:
        result = _by_kernel(replacements.for_what_tensors_are, operator, arguments)
        if result is not None:
            return result
    lazy = not operator.view and any_bits(arguments)
    if not lazy or not any(_lazy(operator, t) for t in _tensors(arguments)):
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
    return _asked(call[0], arguments, *call[1:])


def _create(name, args, kwargs):
    call = creation.described(name, args, kwargs)
    if call is None:
        return None
    overload, given, options, requires_grad = call
    kernel = replacements.added(overload) if _kernels_in_place else None
    if kernel is not None:
        return overloads.outcome(overload, kernel(*given, **options))
    result = _made(overload, given, options)
    return result.requires_grad_() if requires_grad and result is not None else result


_for_samples = None


def _register_draws(for_samples):
    """``for_samples(draw, args)`` gives what ``draw(args)`` makes for all samples of batches at once."""
    global _for_samples
    _for_samples = for_samples


def _made(overload, given, options):
    """A new tensor; one that is made like a sample is asked for the whole batch at once."""
    if _for_samples is not None and overload._schema.name.startswith("aten::rand"):
        return _for_samples(lambda args: _asked(overload, args, args, options), given)
    like = given[0] if given else None
    special = special_of(like) if isinstance(like, Tensor) else None
    if not isinstance(special, Wrapped):
        return _asked(overload, given, given, options)
    with outside_of_levels():
        return _made_like(special, overload, given[1:], options)


def _made_like(like, overload, rest, options):
    """The same of a wrapped tensor, by what it wraps."""
    level, dim = like.level, like.dim
    batched = dim >= 0 and level.alive and not is_hidden(level)
    if batched and overload._schema.name.startswith("aten::new_"):
        size, *others = rest
        dim, rest = 0, ([level.batch_size, *size], *others)
    result = _made(overload, (like.value, *rest), options)
    return wrap_tensor(result, level, dim) if batched and result is not None else result


python_dispatch._register_dispatch(_dispatch, _before_recording, _create)
operators._register_names(overloads.name_of, overloads.full_name_of)
