"""The `Node` class, one step of a graph, and functions that map over its arguments."""

import operator
from typing import Any

from minitorch._dispatch.operators import ops
from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import _set_grad_enabled
from minitorch.core.dtype import dtype
from minitorch.core.types import device, layout, memory_format
from minitorch.fx._names import package, qualified_name, type_name
from minitorch.fx.immutable_collections import immutable_dict, immutable_list
from minitorch.tensors.settings import SymBool, SymFloat, SymInt
from minitorch.tensors.tensor_types import typename

__all__ = ["Node", "has_side_effect", "map_aggregate", "map_arg"]

Argument = Any  # any value allowed in a node's arguments
Target = Any  # a callable or a str

_get_qualified_name = qualified_name
_type_repr = type_name

_LEGAL_OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output",
              "root")  # fmt: skip


def _operator_class():
    return type(ops.aten.add.Tensor)


base_types = (
    str, int, float, bool, complex, dtype, Tensor, device, memory_format, layout, _operator_class(),
    SymInt, SymBool, SymFloat,
)  # fmt: skip


# ---- functions with side effects


def _asserts():
    from minitorch.composed.assertions import _assert, _assert_async

    return {_assert, _assert_async}


_side_effectful_functions = {operator.setitem, _set_grad_enabled, *_asserts()}


def has_side_effect(fn):
    """Mark `fn` as having side effects, so that dead code elimination keeps its calls.

    Returns `fn`, so it can be used as a decorator.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fx.has_side_effect(print) is print
    True
    """
    _side_effectful_functions.add(fn)
    return fn


# ---- walking over arguments


def map_aggregate(a, fn):
    """Return a copy of `a` with `fn` applied to each leaf.

    `a` may nest tuples, lists, dictionaries and slices.

    Lists and dictionaries in the copy are immutable.

    Examples
    --------
    >>> from minitorch.fx.node import map_aggregate
    >>> map_aggregate((1, [2, {"a": 3}]), lambda x: x + 1)
    (2, [3, {'a': 4}])
    """
    if isinstance(a, tuple):
        values = [map_aggregate(item, fn) for item in a]
        return type(a)(*values) if hasattr(a, "_fields") else tuple(values)
    if isinstance(a, list):
        return immutable_list([map_aggregate(item, fn) for item in a])
    if isinstance(a, dict):
        return immutable_dict((key, map_aggregate(value, fn)) for key, value in a.items())
    if isinstance(a, slice):
        return slice(*(map_aggregate(end, fn) for end in (a.start, a.stop, a.step)))
    return fn(a)


def map_arg(a, fn):
    """Return a copy of `a` with `fn` applied to each `Node`; other leaves are unchanged.

    Raises
    ------
    AssertionError
        If `fn` is not callable.
    """
    if not callable(fn):
        raise AssertionError("torch.fx.map_arg(a, fn): fn must be a callable")
    return map_aggregate(a, lambda leaf: fn(leaf) if isinstance(leaf, Node) else leaf)


def _format_arg(arg, max_list_len=float("inf")):
    if hasattr(arg, "_custom_fx_repr_fn"):
        return arg._custom_fx_repr_fn()
    if isinstance(arg, (list, tuple)):
        shown = [_format_arg(item) for k, item in enumerate(arg) if k < max_list_len]
        rest = "" if len(arg) < max_list_len + 1 else f", ...[total_len={len(arg)}]"
        if isinstance(arg, list):
            return f"[{', '.join(shown)}{rest}]"
        return f"({', '.join(shown)}{',' if len(arg) == 1 else ''}{rest})"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{key}: {_format_arg(value)}" for key, value in arg.items()) + "}"
    return f"%{arg}" if isinstance(arg, Node) else str(arg)


def sizes_text(sizes):
    """Return the sizes of a tensor as annotations show them, such as ``[2, 3]``."""
    return f"[{', '.join(map(str, sizes))}]"


def _check(graph, name, op, target):
    if op == "call_function":
        if not callable(target):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type "
                f"{typename(target)} but a Callable is expected"
            )
        return
    if op not in _LEGAL_OPS:
        raise AssertionError(f"op '{op}' is not in _legal_ops")
    if not isinstance(target, str):
        raise ValueError(
            f"Node [graph = {graph}, name = '{name}'] target {target} has type "
            f"{typename(target)} but a str is expected"
        )


def _key_between(before, after):
    """Return a sort key that lies between the keys of two neighbours."""
    if len(before) > len(after):
        *prefix, last = before[: len(after) + 1]
        return (*prefix, last + 1)
    if len(before) < len(after):
        *prefix, last = after[: len(before) + 1]
        return (*prefix, last - 1)
    return (*before, 0)


class Node:
    """One step of a graph, created by methods of `Graph` such as `Graph.create_node`.

    Parameters
    ----------
    graph : Graph
    name : str
        Name of the node's value in the generated code.
    op : str
        ``"placeholder"``, ``"get_attr"``, ``"call_function"``, ``"call_module"``,
        ``"call_method"`` or ``"output"``.
    target : str or callable
        The function, method, module or attribute that the node calls or reads.
    args : tuple
    kwargs : dict
    return_type : type, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> graph = torch.fx.Graph()
    >>> x = graph.placeholder("x")
    >>> y = graph.call_function(torch.add, (x, 1))
    >>> y.args, y.all_input_nodes, list(x.users)
    ((x, 1), [x], [add])
    """

    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        _check(graph, name, op, target)
        fields = {
            "graph": graph, "name": name, "op": op, "target": target, "type": return_type,
            "users": {}, "meta": {}, "_args": (), "_kwargs": immutable_dict(), "_input_nodes": {},
            "_prev": self, "_next": self, "_sort_key": (), "_erased": False, "_repr_fn": None,
        }  # fmt: skip
        self.__dict__.update(fields)
        self._update_args_kwargs(args, kwargs)

    def __setattr__(self, name, value):
        self._tell_renamed(name, value)
        table = getattr(self.graph, "_find_nodes_lookup_table", None)
        moves = name in ("op", "target") and table is not None and self in table
        if moves:
            table.remove(self)
        object.__setattr__(self, name, value)
        if moves:
            table.insert(self)

    def _tell_renamed(self, name, value):
        if name == "name":
            for hook in getattr(self.graph.owning_module, "_replace_hooks", ()):
                for user in self.users:
                    hook(old=self, new=value, user=user)

    # ---- the order of nodes

    @property
    def next(self):
        """The next node in the graph."""
        return self._next

    @property
    def prev(self):
        """The previous node in the graph."""
        return self._prev

    def prepend(self, x):
        """Move `x`, a node of the same graph, to just before this node."""
        self._prepend(x)

    def append(self, x):
        """Move `x`, a node of the same graph, to just after this node."""
        self._next._prepend(x)

    def _prepend(self, x):
        if self is x:
            return
        if self.graph is not x.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        x._remove_from_list()
        before = self._prev
        before._next, x._prev = x, before
        x._next, self._prev = self, x
        x._sort_key = _key_between(before._sort_key, self._sort_key)

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev

    def __lt__(self, other):
        return self._sort_key < other._sort_key

    def __gt__(self, other):
        return self._sort_key > other._sort_key

    def __le__(self, other):
        return self is other or self < other

    def __ge__(self, other):
        return self is other or self > other

    # ---- arguments

    @property
    def args(self):
        """The positional arguments; assign a new tuple to change them."""
        return self._args

    @args.setter
    def args(self, a):
        self._update_args_kwargs(a, self._kwargs)

    @property
    def kwargs(self):
        """The keyword arguments; assign a new dictionary to change them."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, k):
        self._update_args_kwargs(self._args, k)

    @property
    def all_input_nodes(self):
        """The nodes among the arguments, without duplicates."""
        return list(self._input_nodes)

    def _update_args_kwargs(self, args, kwargs):
        for node in self._input_nodes:
            node.users.pop(self, None)
        self._input_nodes = {}
        self._args = map_arg(args, self._use)
        self._kwargs = map_arg(kwargs, self._use)

    def _use(self, node):
        self._input_nodes.setdefault(node)
        node.users.setdefault(self)
        return node

    def update_arg(self, idx, arg):
        """Set the positional argument at index `idx`."""
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx, arg):
        """Insert a positional argument before index `idx`."""
        if not 0 <= idx <= len(self.args):
            raise AssertionError(
                f"insert_args index must be between 0 and len(self.args), got {idx}"
            )
        self._args = (*self.args[:idx], map_arg(arg, self._use), *self.args[idx:])

    def update_kwarg(self, key, arg):
        """Set the keyword argument `key`."""
        self.kwargs = {**self.kwargs, key: arg}

    def replace_input_with(self, old_input, new_input):
        """Replace `old_input` with `new_input` in the arguments."""
        for hook in getattr(self.graph.owning_module, "_replace_hooks", ()):
            hook(old=old_input, new=new_input.name, user=self)
        self._replace_input_with(old_input, new_input)

    def _replace_input_with(self, old_input, new_input):
        def replaced(node):
            return new_input if node is old_input else node

        self._update_args_kwargs(map_arg(self.args, replaced), map_arg(self.kwargs, replaced))

    def replace_all_uses_with(self, replace_with, delete_user_cb=None, *, propagate_meta=False):
        """Replace this node with `replace_with` in the arguments of its users.

        Parameters
        ----------
        replace_with : Node
        delete_user_cb : callable, optional
            Called with each user; the user is changed only if it returns true.
        propagate_meta : bool
            Copy ``meta`` to `replace_with`, whose own ``meta`` must be empty.

        Returns
        -------
        list of Node
            The users that were changed.
        """
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError(
                    "Called node.replace_all_uses_with(replace_with, propagate_meta=True), "
                    "but replace_with already has .meta keys"
                )
            replace_with.meta.update(self.meta)
        changed = [user for user in self.users if delete_user_cb is None or delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    # ---- properties of the call

    @property
    def stack_trace(self):
        """The stack trace of the traced call, or None if it was not recorded."""
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace):
        self.meta["stack_trace"] = trace

    def is_impure(self, impure_random=True):
        """Return whether removing the node would have effects beyond its value.

        Parameters
        ----------
        impure_random : bool
            Whether drawing random numbers counts as a side effect.
        """
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_module":
            return self._is_module_impure()
        return self.op == "call_function" and _is_function_impure(self, impure_random)

    def _is_module_impure(self):
        if self.graph.owning_module is None:
            raise AssertionError("self.graph.owning_module not set for purity check")
        return getattr(self.graph.owning_module.get_submodule(self.target), "_is_impure", False)

    def normalized_arguments(
        self, root, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False
    ):
        """Return the arguments in the order of the target's signature, or None if it is unknown.

        Parameters
        ----------
        root : Module
            Module that contains the submodules called by the graph.
        arg_types, kwarg_types : optional
            Types of the arguments, needed if several overloads fit.
        normalize_to_only_use_kwargs : bool
            Whether to return all arguments as keyword arguments.
        """
        from minitorch.fx.operator_schemas import normalize_function, normalize_module

        only = {"normalize_to_only_use_kwargs": normalize_to_only_use_kwargs}
        if self.op == "call_function":
            types = arg_types, kwarg_types
            return normalize_function(self.target, self.args, self.kwargs, *types, **only)
        if self.op == "call_module":
            return normalize_module(root, self.target, self.args, self.kwargs, **only)
        return None

    # ---- text

    def __repr__(self):
        return self._repr_fn(self) if self._repr_fn else self.name

    def _rename(self, candidate):
        if candidate != self.name:
            self.name = self.graph._graph_namespace.create_name(candidate, None)
            self.graph._graph_namespace._rename_object(self, self.name)

    @staticmethod
    def _pretty_print_target(target):
        if isinstance(target, str):
            return target
        name = getattr(target, "__name__", None)
        places = {"builtins": "builtins", "_operator": "operator"}
        place = places.get(getattr(target, "__module__", None))
        return f"{place}.{name}" if place and name else qualified_name(target)

    def format_node(
        self, placeholder_names=None, maybe_return_typename=None, *, include_tensor_metadata=False
    ):
        """Return the node as one line of text.

        Parameters
        ----------
        placeholder_names : list, optional
            If given, the text of a placeholder is appended to it and None is returned.
        maybe_return_typename : list, optional
            If given, its first element is set to the return annotation of an output node.
        include_tensor_metadata : bool
            Whether to show the dtype, sizes, strides and device of the result.

        Examples
        --------
        >>> import minitorch as torch
        >>> print(torch.fx.Graph().get_attr("weight").format_node())
        %weight : [num_users=0] = get_attr[target=weight]
        """
        if self.op == "placeholder":
            return self._format_placeholder(placeholder_names)
        if self.op == "output":
            if self.type and maybe_return_typename:
                maybe_return_typename[0] = f" -> {type_name(self.type)}"
            return f"return {self.args[0]}"
        kind = f"{type_name(self.type)} " if self.type is not None else ""
        if include_tensor_metadata and self.op != "get_attr":
            kind = self._tensor_text() or kind
        head = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}"
        target = f"[target={self._pretty_print_target(self.target)}]"
        if self.op == "get_attr":
            return head + target
        return (
            f"{head}{target}(args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})"
        )

    def _format_placeholder(self, names):
        if names:
            # with a type, PyTorch writes the name twice; we match its text
            kind = f"{self.target}: {type_name(self.type)}" if self.type else ""
            names.append(self.target + kind)
            return None
        kind = f"{type_name(self.type)} " if self.type else ""
        default = f"(default={self.args[0]})" if self.args else ""
        return (
            f"%{self.name} : {kind}[num_users={len(self.users)}] = "
            f"{self.op}[target={self.target}]{default}"
        )

    def _tensor_text(self):
        from minitorch.core.dtype_abbrs import dtype_abbrs

        value = self.meta.get("val", self.meta.get("tensor_meta", self.meta.get("example_value")))
        if not isinstance(value, Tensor):
            return None
        sizes = sizes_text(value.shape) + sizes_text(value.stride())
        return f'Tensor "{dtype_abbrs[value.dtype]}{sizes}{value.device}"'


# functions that advance the state of the random number generator
_RANDOM = (
    "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "normal",
    "poisson", "bernoulli", "multinomial",
)  # fmt: skip


def _is_function_impure(node, impure_random):
    target = node.target
    target = (
        getattr(target, "default", target) if isinstance(target, type(ops.aten.add)) else target
    )
    schema = getattr(target, "_schema", None)
    if schema is not None and schema.is_mutable:
        return True
    if target in _side_effectful_functions or node.target in _side_effectful_functions:
        return True
    if impure_random and getattr(target, "_nondeterministic_seeded", False):
        return True
    name = getattr(target, "__name__", None)
    return name in _RANDOM and getattr(package(), name) is target
