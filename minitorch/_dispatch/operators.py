"""``torch.ops.aten``: PyTorch's operators by name, as passed to ``__torch_dispatch__``."""

import enum
import functools
from collections.abc import Callable
from importlib import import_module

from minitorch._dispatch.key_sets import DispatchKey
from minitorch._dispatch.schema import FunctionSchema
from minitorch._tensor import Tensor
from minitorch.autograd.python_dispatch import UndefinedResult
from minitorch.autograd.torch_function import _has_torch_function, handle_torch_function


class Tag(enum.IntEnum):
    """Properties that an operator declares, such as that its result has the shape of its operands.

    Parameters
    ----------
    value : int
        The number of a property.
    names, module, qualname, type, start, boundary
        Parameters of any `enum.IntEnum`, for making another enumeration.

    Raises
    ------
    ValueError
        If no property has this number.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.Tag.pointwise in torch.ops.aten.add.Tensor.tags
    True
    """

    core = 0
    cudagraph_unsafe = 1
    data_dependent_output = 2
    dynamic_output_shape = 3
    flexible_layout = 4
    generated = 5
    inplace = 6
    inplace_view = 7
    maybe_aliasing_or_mutating = 8
    needs_contiguous_strides = 9
    needs_exact_strides = 10
    needs_fixed_stride_order = 11
    nondeterministic_bitwise = 12
    nondeterministic_seeded = 13
    out = 14
    out_variant = 15
    pointwise = 16
    pt2_compliant_tag = 17
    reduction = 18
    view_copy = 19

    def __repr__(self):
        return f"<Tag.{self.name}: {self.value}>"


def tag_list(tags):
    """Return tags as a list, given one tag, several or None."""
    return [tags] if isinstance(tags, Tag) else list(tags or ())


def _relevant(args, kwargs):
    """Return the arguments, also those in lists, whose classes may have ``__torch_function__``."""
    found = []
    for value in (*args, *kwargs.values()):
        if isinstance(value, (list, tuple)):
            found.extend(item for item in value if type(item) is not Tensor)
        elif type(value) is not Tensor:
            found.append(value)
    return found


class _Calls:
    """Functions of higher layers that execute calls, registered here to avoid import cycles."""

    row: Callable  # overloads.py, like `packet`: calls an operator that has a row
    packet: Callable
    own: Callable  # custom.py, like the next three: calls a custom operator
    own_packet: Callable
    redispatch: Callable
    has_kernel_for: Callable
    decompose: Callable  # composites.py

    def __getattr__(self, name):
        import_module("minitorch._dispatch.custom")  # imported on first use: few programs need it
        return self.__dict__[name]


calls = _Calls()


class OperatorBase:
    """Base class of callable operators: overloads, and higher-order operators."""


class OpOverload(OperatorBase):
    """One overload of an operator, such as ``torch.ops.aten.add.Tensor``; call it as a function.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.ops.aten.add.Tensor(torch.ones(2), torch.ones(2), alpha=3)
    tensor([4., 4.])
    >>> torch.ops.aten.add.Tensor
    <OpOverload(op='aten.add', overload='Tensor')>
    """

    def __init__(self, overloadpacket, schema, row):
        self._schema = schema
        self._overloadpacket = overloadpacket
        self._opname = overloadpacket.__name__
        self._overloadname = schema.overload_name or "default"
        self._name = schema.name + (f".{schema.overload_name}" if schema.overload_name else "")
        self._row = row
        self._namespace = overloadpacket._namespace
        self.__name__ = f"{self._opname}.{self._overloadname}"
        self.__qualname__ = self.__name__
        self.__module__ = overloadpacket.__module__
        self.tags = sorted([*(Tag[name] for name in schema.tags), Tag.pt2_compliant_tag])
        self._kernels = None
        self.py_kernels = {}

    @property
    def namespace(self):
        """``"aten"``, or the namespace of a custom operator."""
        return self._namespace

    @property
    def overloadpacket(self):
        """The `OpOverloadPacket` that contains this overload."""
        return self._overloadpacket

    @property
    def op(self):
        """The `OpOverloadPacket` that contains this overload."""
        return self._overloadpacket

    @property
    def is_view(self):
        """True if a result may be a view of an argument that the operator does not write to."""
        return any(a.alias_info is not None and not a.is_write for a in self._schema.arguments)

    def name(self):
        """Return the name with the namespace, as in ``"aten::add.Tensor"``."""
        overload = self._schema.overload_name
        return f"{self._schema.name}.{overload}" if overload else self._schema.name

    def has_kernel_for_dispatch_key(self, key):
        """Return whether PyTorch or the program has a kernel of this operator for a key."""
        return calls.has_kernel_for(self.name(), key)

    def has_kernel_for_any_dispatch_key(self, keys):
        """Return whether PyTorch or the program has a kernel for one of the keys in a set."""
        return any(self.has_kernel_for_dispatch_key(key) for key in keys._keys)

    def py_impl(self, key):
        """Return a decorator that stores a function in `py_kernels` under a key or class.

        A program's own tools may call it; minitorch does not.

        Raises
        ------
        RuntimeError
            A function is already stored under the key.
        """

        def register(fn):
            if key in self.py_kernels:
                raise RuntimeError(
                    f"Trying to override a python impl for {key} on operator {self.name()}"
                )
            self.py_kernels[key] = fn
            return fn

        return register

    def py_functionalize_impl(self, fn):
        """Store a function for functional tensors as `py_impl` does; minitorch has none of them."""
        return self.py_impl(DispatchKey.Functionalize)(fn)

    def redispatch(self, keys, /, *args, **kwargs):
        """Call the operator as if its tensors had exactly the dispatch keys `keys`."""
        return calls.redispatch(self, keys, args, kwargs)

    def _can_decompose(self):
        """Return whether the operator is composed of other operators."""
        return self.has_kernel_for_dispatch_key("CompositeImplicitAutograd")

    def decompose(self, *args, **kwargs):
        """Compute the operator through its decomposition; return NotImplemented if it has none."""
        return calls.decompose(self, args, kwargs)

    def __call__(self, /, *args, **kwargs):
        relevant = _relevant(args, kwargs)
        if _has_torch_function(relevant):
            return handle_torch_function(self, relevant, *args, **kwargs)
        if self._kernels is not None:
            return calls.own(self, args, kwargs)
        try:
            return calls.row(self, args, kwargs)
        except UndefinedResult:
            return None

    def __str__(self):
        return f"{self._namespace}.{self.__name__}"

    def __repr__(self):
        return f"<OpOverload(op='{self._overloadpacket}', overload='{self._overloadname}')>"

    def __deepcopy__(self, memo=None):
        return self

    def __reduce__(self):
        return _overload, (self._opname, self._overloadname, self._namespace)


class OpOverloadPacket:
    """Operator with all its overloads, such as ``torch.ops.aten.add``."""

    def __init__(self, name, entries, namespace="aten"):
        self.__name__ = name
        self.__qualname__ = name
        self.__module__ = f"torch._ops.{namespace}"  # logs of operators print this name
        self._namespace = namespace
        self._qualified_op_name = f"{namespace}::{name}"
        self._overloads = {}
        for schema, row in entries:
            self._add(schema, row)

    def _add(self, schema, row=None):
        overload = OpOverload(self, schema, row)
        self._overloads[overload._overloadname] = overload
        self.__dict__[overload._overloadname] = overload
        return overload

    def _remove(self, overload_name):
        del self._overloads[overload_name], self.__dict__[overload_name]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"'{self}' can't have an overload name beginning with '__'")
        raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")

    def overloads(self):
        """Return the names of the overloads."""
        return list(self._overloads)

    def op_overloads(self):
        """Return the overloads."""
        return list(self._overloads.values())

    def __call__(self, /, *args, **kwargs):
        relevant = _relevant(args, kwargs)
        if _has_torch_function(relevant):
            return handle_torch_function(self, relevant, *args, **kwargs)
        if self._namespace != "aten":
            return calls.own_packet(self, args, kwargs)
        return calls.packet(self, args, kwargs)

    def __iter__(self):
        return iter(self._overloads)

    def __str__(self):
        return f"{self._namespace}.{self.__name__}"

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self}')>"

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def __deepcopy__(self, memo=None):
        return self

    def __reduce__(self):
        return _packet, (self.__name__, self._namespace)


custom: dict = {}  # (namespace, name) -> packet of a custom operator


class _OpNamespace:
    """Operators of one namespace, as attributes."""

    def __init__(self, name):
        self._name = name
        self.__name__ = f"minitorch.ops.{name}"
        self.__file__ = "torch.ops"

    def __getattr__(self, name):
        if self._name == "aten" and not name.startswith("__"):
            packet = _packets().get(name)
            if packet is not None:
                self.__dict__[name] = packet
                return packet
        if (self._name, name) in custom:
            return custom[self._name, name]
        if name in ("__origin__", "__self__"):
            raise AttributeError(f"Invalid attribute '{name}' for '_OpNamespace' '{self._name}'")
        title = f"'_OpNamespace' '{self._name}'"
        if self._name == "higher_order":
            title = "'_HigherOrderNamespace' 'torch.ops.higher_order'"
        raise AttributeError(f"{title} object has no attribute '{name}'")

    def __dir__(self):
        own = [name for namespace, name in custom if namespace == self._name]
        return sorted([*_packets(), *own] if self._name == "aten" else own)

    def __repr__(self):
        return f"<module 'torch.ops.{self._name}' from 'torch.ops'>"


class _Ops:
    """``torch.ops``: the namespace ``aten``, and those of custom operators."""

    def __init__(self):
        self.aten = _OpNamespace("aten")
        self.loaded_libraries = set()

    def load_library(self, path):
        """Raise OSError: operators compiled for PyTorch cannot be loaded.

        Raises
        ------
        OSError
            Always, like PyTorch for a library compiled for another version.
        """
        raise OSError(f"Could not load this library: {path}")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        namespace = self.__dict__[name] = _OpNamespace(name)
        return namespace

    def __repr__(self):
        return "<module 'torch.ops' from '_ops.py'>"


ops = _Ops()

# programs find these classes in PyTorch's module
for _class in (OperatorBase, OpOverload, OpOverloadPacket, _OpNamespace, _Ops):
    _class.__module__ = "minitorch._ops"


@functools.cache
def table():
    """Return (row name or None, `FunctionSchema`) for each overload of the operators' records."""
    from minitorch.autograd.functions.overload_table import OVERLOADS

    return [(row, FunctionSchema(schema)) for row, schema in OVERLOADS]


@functools.cache
def _packets():
    entries = {}
    for row, schema in table():
        entries.setdefault(schema.name.removeprefix("aten::"), []).append((schema, row))
    return {name: OpOverloadPacket(name, found) for name, found in entries.items()}


def _packet(name, namespace="aten"):
    return getattr(getattr(ops, namespace), name)


def _overload(name, overload, namespace="aten"):
    return getattr(_packet(name, namespace), overload)
