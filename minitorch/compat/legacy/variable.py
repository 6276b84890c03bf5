"""`Variable`: a tensor tracked by autograd, as in 0.2; and `lift`.

Note [What a Variable is here]
It wraps a tensor, `_tensor`, which has the history, and a flag, `volatile`. Operators are lifted:
they unwrap their arguments, run (without recording if an argument is volatile), and wrap the
results. As long as the Variable of a tensor is alive, the tensor gets no second one.

Note [Recording a backward]
In 0.2 a gradient was a Variable, and its flags determined whether the backward was recorded. A
gradient given as a tensor becomes a Variable, which is volatile unless `create_graph`. Decision
table for `create_graph`:

    given    gradients                          result
    a bool   any                                it
    None     one is a Variable, not volatile    True
    None     tensors, None, volatile ones       False

The result determines the kind of the Variables made from tensors and from None. A gradient that is
a Variable is passed to the engine unchanged.
"""

import copy
import functools
import warnings
import weakref

from minitorch import Tensor, ones_like, set_grad_enabled

_variable_of: weakref.WeakValueDictionary[int, object] = (
    weakref.WeakValueDictionary()
)  # id of a tensor -> its Variable, which holds it


def lift(function):
    """Extend a function of tensors to take and return Variables.

    Parameters
    ----------
    function : callable
        A function, for example a module of ``minitorch.nn`` or the ``apply`` of an
        `autograd.Function`.

    Returns
    -------
    callable
        The lifted function. If an argument is a volatile Variable, nothing is recorded and the
        results are volatile. Without a Variable among the arguments it is equivalent to `function`.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.legacy import Variable, lift
    >>> square = lift(lambda t: t * t)
    >>> square(Variable(minitorch.tensor([3.0]), volatile=True)).volatile
    True
    """

    @functools.wraps(function, updated=())
    def lifted(*args, **kwargs):
        given = []
        args = _unwrapped(args, given)
        kwargs = _unwrapped(kwargs, given)
        if not given:
            return function(*args, **kwargs)
        if any(variable.volatile for variable in given):
            versions = [_version(variable) for variable in given]
            # in-place operators on leaves that require grad are errors, which only recording
            # detects
            with set_grad_enabled(not given[0].volatile and _writes_to_leaf(function, args)):
                result = function(*args, **kwargs)
            for variable, version in zip(given, versions, strict=True):
                if _version(variable) != version and not variable.volatile:
                    variable._tensor.detach_()
                    variable._volatile = True
            return _wrapped(result, True)
        return _wrapped(function(*args, **kwargs), False)

    return lifted


def _writes_to_leaf(function, args):
    name = getattr(function, "__name__", "")
    in_place = name in _IN_PLACE or (name.endswith("_") and not name.endswith("__"))
    first = args[0] if args else None
    return in_place and isinstance(first, Tensor) and first.is_leaf and first.requires_grad


def _version(variable):
    tensor = variable._tensor
    return None if tensor.is_inference() else tensor._version


def of(tensor, volatile):
    """Return the Variable of a tensor, creating one with the flag `volatile` if needed."""
    variable = _variable_of.get(id(tensor))
    if variable is None:
        variable = object.__new__(Variable)
        variable._tensor = tensor
        variable._volatile = volatile
        _variable_of[id(tensor)] = variable
    return variable


def mark_not_volatile(gradient):
    """Mark a gradient of a recorded backward as not volatile, since it need not have a history."""
    gradient._not_volatile = True
    variable = _variable_of.get(id(gradient))
    if variable is not None:
        variable._volatile = False


def _unwrapped(value, given):
    """Return `value` with Variables replaced by tensors, and append the Variables to `given`."""
    if isinstance(value, Variable):
        given.append(value)
        return value._tensor
    if type(value) in (tuple, list):
        return type(value)([_unwrapped(item, given) for item in value])
    if type(value) is dict:
        return {key: _unwrapped(item, given) for key, item in value.items()}
    return value


def _wrapped(value, volatile):
    if isinstance(value, Tensor):
        variable = of(value, volatile)
        # an argument that is returned unmodified
        return of(value.detach(), True) if volatile and not variable.volatile else variable
    if type(value) in (tuple, list):
        return type(value)([_wrapped(item, volatile) for item in value])
    if isinstance(value, tuple) and any(isinstance(item, Tensor) for item in value):
        return tuple([_wrapped(item, volatile) for item in value])  # values and indices, say
    return value


class Variable:
    """A tensor tracked by autograd.

    Parameters
    ----------
    data : Tensor
    requires_grad : bool
        Whether operators on it are recorded and backward() computes ``grad``.
    volatile : bool
        Whether results of operators on it are volatile too, so that nothing is recorded.

    Raises
    ------
    RuntimeError
        If both are True, or `data` is not a tensor.

    Attributes
    ----------
    _execution_engine : ImperativeEngine
        The engine of every backward pass. An object with the same ``run_backward`` can be assigned.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.legacy import Variable
    >>> x = Variable(minitorch.tensor([1.0, 2.0]), requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    Variable containing:
    tensor([2., 4.])
    """

    _execution_engine: object = None  # set by autograd.py

    def __init__(self, data, requires_grad=False, volatile=False):
        if not isinstance(data, Tensor):
            raise RuntimeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if requires_grad and volatile:
            raise RuntimeError("Variable can't be volatile and require_grad at the same time!")
        self._tensor = data.data
        self._tensor.requires_grad = requires_grad
        self._volatile = False
        self.volatile = volatile
        _variable_of[id(self._tensor)] = self

    def backward(self, gradient=None, retain_graph=None, create_graph=None, retain_variables=None):
        """Accumulate the gradients of this Variable with respect to the leaves of the graph.

        Parameters
        ----------
        gradient : Tensor, Variable or None
            The gradient of this Variable; optional if it has one element.
        retain_graph : bool, optional
            Whether to keep saved tensors. Default: `create_graph`.
        create_graph : bool, optional
            Whether to record the backward. By default only if `gradient` is a Variable that is not
            volatile.
        retain_variables : bool, optional
            The old name of `retain_graph`.

        Examples
        --------
        >>> import minitorch
        >>> from minitorch.legacy import Variable
        >>> x = Variable(minitorch.tensor([1.0, 2.0]), requires_grad=True)
        >>> (x * x).backward(minitorch.ones(2))
        >>> x.grad.data, x.grad.volatile
        (tensor([2., 4.]), True)
        >>> (x * x).backward(Variable(minitorch.ones(2)))
        >>> x.grad.volatile
        False
        """
        backward(self, gradient, retain_graph, create_graph, retain_variables)

    @property
    def data(self):
        """The tensor without history; it shares memory with the Variable."""
        return self._tensor.data

    @data.setter
    def data(self, value):
        self._tensor.data = value

    @property
    def volatile(self):
        """True if operators on this Variable are never recorded."""
        return self._volatile

    @volatile.setter
    def volatile(self, value):
        if not isinstance(value, bool):
            raise RuntimeError("volatile must be a bool")
        if self._tensor.grad_fn is not None:
            raise RuntimeError("volatile can only be set on leaf variables")
        self._volatile = value

    @property
    def requires_grad(self):
        """True if operators on this Variable are recorded."""
        return self._tensor.requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        self._tensor.requires_grad = value

    @property
    def grad(self):
        """The accumulated gradient as a Variable, volatile unless the backward was recorded."""
        if self._tensor.grad_fn is not None and not self._tensor.retains_grad:
            return None
        gradient = self._tensor.grad
        if gradient is None:
            return None
        recorded = gradient.requires_grad or getattr(gradient, "_not_volatile", False)
        return of(gradient, volatile=not recorded)

    @grad.setter
    def grad(self, value):
        if value is not None and not isinstance(value, Variable):
            raise TypeError(f"grad has to be a Variable or None, but got {type(value).__name__}")
        self._tensor.grad = None if value is None else value._tensor
        if value is not None and not value.volatile:
            value._tensor._not_volatile = True

    def register_hook(self, hook):
        """Register ``hook(grad)``, called when the gradient of this Variable is computed.

        If it returns a Variable, this replaces the gradient. Return a handle with ``remove()``.
        """
        if self.volatile:
            raise RuntimeError("cannot register a hook on a volatile variable")
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a variable that doesn't require gradient")

        @functools.wraps(hook, updated=())
        def on_tensor(gradient):
            from minitorch import is_grad_enabled

            result = hook(of(gradient, volatile=not is_grad_enabled()))
            return result._tensor if isinstance(result, Variable) else result

        return self._tensor.register_hook(on_tensor)

    def detach(self):
        """Return a Variable with the same data and no history; volatile if this one is."""
        return of(self._tensor.detach(), self.volatile)

    def detach_(self):
        """Remove the history in place and return the Variable."""
        self._tensor.detach_()
        return self

    def __getattr__(self, name):
        if name.startswith("__") or name in ("_tensor", "_volatile"):
            raise AttributeError(f"'Variable' object has no attribute '{name}'")
        value = getattr(type(self._tensor), name, None)
        if callable(value):
            return functools.partial(_lifted(value), self)
        try:
            value = getattr(self._tensor, name)
        except AttributeError:
            raise AttributeError(f"'Variable' object has no attribute '{name}'") from None
        return _wrapped(value, self.volatile)

    def __setitem__(self, key, value):
        _set_item(self, key, value)

    def __deepcopy__(self, memo):
        if self._tensor.grad_fn is not None:
            raise RuntimeError(
                "Only Variables created explicitly by the user (graph leaves) support the deepcopy "
                "protocol at the moment"
            )
        result = Variable(copy.deepcopy(self.data, memo))
        result.requires_grad = self.requires_grad
        result.volatile = self.volatile
        memo[id(self)] = result
        return result

    def __reduce_ex__(self, protocol):
        return _rebuilt, (self.data, self.requires_grad, self.volatile)

    def __dir__(self):
        return sorted({*object.__dir__(self), *dir(Tensor)})

    def __repr__(self):
        return f"Variable containing:\n{self.data!r}"

    def __hash__(self):
        return id(self)

    def __bool__(self):
        return bool(self._tensor)

    def __iter__(self):
        return iter([self[k] for k in range(len(self))])


_lifted = functools.cache(lift)


def _rebuilt(data, requires_grad, volatile):
    result = Variable(data)
    result.requires_grad = requires_grad
    result.volatile = volatile
    return result


@lift
def _set_item(tensor, key, value):
    tensor[key] = value
    return tensor


def _method(name):
    lifted = lift(getattr(Tensor, name))
    lifted.__qualname__ = f"Variable.{name}"
    lifted.__doc__ = None
    return lifted


# operators are looked up in the class, not through `__getattr__`
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
_OPERATORS = [f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")]
_IN_PLACE = {f"__i{name}__" for name in _BINARY} | {"_set_item"}
_OPERATORS += ["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"]
_OPERATORS += ["__neg__", "__pos__", "__abs__", "__invert__", "__getitem__", "__contains__"]
_OPERATORS += ["__len__", "__float__", "__int__", "__index__", "__complex__", "__array__"]
for _name in _OPERATORS:
    if hasattr(Tensor, _name):
        setattr(Variable, _name, _method(_name))


def _make_grads(outputs, grads, user_create_graph):
    """Return the gradient of each root as a Variable, and whether to record the backward."""
    if user_create_graph is not None:
        create_graph = user_create_graph
    else:
        create_graph = any(isinstance(grad, Variable) and not grad.volatile for grad in grads)
    return tuple(
        _make_grad(out, grad, create_graph) for out, grad in zip(outputs, grads, strict=False)
    ), create_graph


def _make_grad(out, grad, create_graph):
    if isinstance(grad, Variable):
        return grad
    if isinstance(grad, Tensor):
        return Variable(grad, volatile=not create_graph)
    if grad is not None:
        raise TypeError(
            f"gradients can be either Tensors, Variables or None, but got {type(grad).__name__}"
        )
    if not out.requires_grad:
        return None
    if out.numel() != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    return Variable(ones_like(out.data), volatile=not create_graph)


def _as_tuple(variables):
    return (variables,) if isinstance(variables, Variable) else tuple(variables)


def _as_list(grads, count):
    if grads is None:
        return [None] * count
    return [grads] if isinstance(grads, (Variable, Tensor)) else list(grads)


def backward(
    variables, grad_variables=None, retain_graph=None, create_graph=None, retain_variables=None
):
    """Accumulate the gradients of `variables` with respect to the leaves of the graph.

    Parameters
    ----------
    variables : Variable or sequence of Variable
        The roots.
    grad_variables : Tensor, Variable or None, or sequence of them, optional
        The gradient of each root; optional for a root with one element.
    retain_graph : bool, optional
        Whether to keep saved tensors. Default: `create_graph`.
    create_graph : bool, optional
        Whether to record the backward. By default only if a gradient is a Variable that is not
        volatile.
    retain_variables : bool, optional
        The old name of `retain_graph`.

    Raises
    ------
    ValueError
        If both `retain_graph` and `retain_variables` are given.
    RuntimeError
        If a root is volatile, a root that is not a scalar has no gradient, or the graph was freed.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.legacy.autograd import Variable, backward
    >>> x = Variable(minitorch.tensor([3.0]), requires_grad=True)
    >>> backward([x * x, x * 2], [minitorch.ones(1), minitorch.ones(1)])
    >>> x.grad.data
    tensor([8.])

    Notes
    -----
    The counterpart is ``torch.autograd.backward`` of 0.2. Its documentation had the default of
    `create_graph` the other way round.
    """
    variables = _as_tuple(variables)
    grad_variables = _as_list(grad_variables, len(variables))
    grad_variables, create_graph = _make_grads(variables, grad_variables, create_graph)
    if retain_variables is not None:
        if retain_graph is not None:
            raise ValueError("only one of retain_graph and retain_variables can be specified")
        retain_graph = retain_variables
        # attributed to this line, so that Python's default filter shows it once
        warnings.warn(
            "retain_variables option is deprecated and will be removed in 0.3. "
            "Use retain_graph instead.",
            stacklevel=1,
        )
    elif retain_graph is None:
        retain_graph = create_graph
    Variable._execution_engine.run_backward(variables, grad_variables, retain_graph)
