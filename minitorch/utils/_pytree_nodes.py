"""The containers that trees are made of: how each is taken apart, put together and written as text."""

import dataclasses
import importlib
import warnings
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from minitorch.core.types import Size

__all__ = ["ConstantNode", "GetAttrKey", "MappingKey", "NodeDef", "SequenceKey"]


class NodeDef(NamedTuple):
    """The functions that flatten a container to ``(children, context)`` and rebuild it."""

    type: type
    flatten_fn: Any
    unflatten_fn: Any
    flatten_with_keys_fn: Any = None


class SerializedDef(NamedTuple):
    """The name of a container in text, and how its context is written and read; None: as JSON."""

    typ: type
    serialized_type_name: str
    to_dumpable_context: Any
    from_dumpable_context: Any


NO_SERIALIZED_TYPE_NAME_FOUND = "NO_SERIALIZED_TYPE_NAME_FOUND"

SUPPORTED_NODES: dict[Any, NodeDef] = {}
SUPPORTED_SERIALIZED_TYPES: dict[Any, SerializedDef] = {}
SERIALIZED_TYPE_TO_PYTHON_TYPE: dict[str, Any] = {}
CONSTANT_NODES: set[type] = set()

STANDARD_DICT_TYPES: frozenset[Any] = frozenset({dict, OrderedDict, defaultdict})
BUILTIN_TYPES: frozenset[Any] = frozenset({tuple, list, namedtuple, deque}) | STANDARD_DICT_TYPES


# what is registered of a container
FlattenFn = Callable[[Any], tuple[list[Any], Any]]
UnflattenFn = Callable[[Iterable[Any], Any], Any]
DumpableContext = Any
ToDumpableContextFn = Callable[[Any], DumpableContext]
FromDumpableContextFn = Callable[[DumpableContext], Any]


# -- the ways to a child ----------------------------------------------------------------------------


class KeyEntry(Protocol):
    """A way from a container to a child."""

    def __hash__(self) -> int: ...

    def __eq__(self, other: object) -> bool: ...

    def __str__(self) -> str: ...

    def get(self, parent: Any) -> Any:
        """Return the child."""


KeyPath = tuple[KeyEntry, ...]
FlattenWithKeysFn = Callable[[Any], tuple[list[tuple[KeyEntry, Any]], Any]]


@dataclass(frozen=True)
class SequenceKey:
    """A place in a sequence."""

    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, sequence):
        """Return the item at the key."""
        return sequence[self.idx]


@dataclass(frozen=True)
class MappingKey:
    """A key of a dictionary."""

    key: Any

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, mapping):
        """Return the child that the key leads to."""
        return mapping[self.key]


@dataclass(frozen=True)
class GetAttrKey:
    """The name of an attribute."""

    name: str

    def __str__(self):
        return f".{self.name}"

    def get(self, obj):
        """Return the attribute."""
        return getattr(obj, self.name)


# -- registering ------------------------------------------------------------------------------------


def register_pytree_node(
    cls,
    flatten_fn,
    unflatten_fn,
    *,
    serialized_type_name=None,
    to_dumpable_context=None,
    from_dumpable_context=None,
    flatten_with_keys_fn=None,
):
    """Make a class a container.

    Parameters
    ----------
    cls : type
    flatten_fn : callable
        From an instance to ``(children, context)``.
    unflatten_fn : callable
        From ``children, context`` to an instance.
    serialized_type_name : str, optional
        What the class is called where a tree's structure is written as text.
    to_dumpable_context, from_dumpable_context : callable, optional
        From a context to what JSON can hold, and back.
    flatten_with_keys_fn : callable, optional
        As `flatten_fn`, with ``(key, child)`` in place of each child.

    Raises
    ------
    ValueError
        If it is one already, or if one of the two functions for a context is missing.
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _private_register_pytree_node(
        cls,
        flatten_fn,
        unflatten_fn,
        serialized_type_name=serialized_type_name,
        to_dumpable_context=to_dumpable_context,
        from_dumpable_context=from_dumpable_context,
        flatten_with_keys_fn=flatten_with_keys_fn,
    )


def _private_register_pytree_node(
    cls,
    flatten_fn,
    unflatten_fn,
    *,
    serialized_type_name=None,
    to_dumpable_context=None,
    from_dumpable_context=None,
    flatten_with_keys_fn=None,
):
    """`register_pytree_node` for a class that may be known already, with a warning then."""
    if cls in SUPPORTED_NODES:
        warnings.warn(
            f"{cls} is already registered as pytree node. Overwriting the previous registration.",
            stacklevel=2,
        )
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(
            f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered."
        )
    name = serialized_type_name or NO_SERIALIZED_TYPE_NAME_FOUND
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
    SUPPORTED_SERIALIZED_TYPES[cls] = SerializedDef(
        cls, name, to_dumpable_context, from_dumpable_context
    )
    SERIALIZED_TYPE_TO_PYTHON_TYPE[name] = cls


def _register_pytree_node(
    cls, flatten_fn, unflatten_fn, to_str_fn=None, maybe_from_str_fn=None, **options
):
    """Call `register_pytree_node`; deprecated."""
    warnings.warn(
        "`torch.utils._pytree._register_pytree_node` is deprecated. "
        "Please use `torch.utils._pytree.register_pytree_node` instead.",
        FutureWarning,
        stacklevel=2,
    )
    if to_str_fn is not None or maybe_from_str_fn is not None:
        warnings.warn(
            "`to_str_fn` and `maybe_from_str_fn` is deprecated. "
            "Please use `to_dumpable_context` and `from_dumpable_context` instead.",
            FutureWarning,
            stacklevel=2,
        )
    _private_register_pytree_node(cls, flatten_fn, unflatten_fn, **options)


def _deregister_pytree_node(cls):
    """Make a container a leaf again."""
    del SUPPORTED_NODES[cls]
    SERIALIZED_TYPE_TO_PYTHON_TYPE.pop(
        SUPPORTED_SERIALIZED_TYPES.pop(cls).serialized_type_name, None
    )
    CONSTANT_NODES.discard(cls)


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Make a class a container of its fields; fields that are None are no children.

    Parameters
    ----------
    cls : type
        A dataclass, or a class that is made of its fields by name.
    field_names : list of str, optional
        Needed for what is no dataclass. Default: the fields that the class is made of.
    drop_field_names : list of str, optional
        Fields that are left out.
    serialized_type_name : str, optional

    Raises
    ------
    ValueError
        When the names are not those of the fields.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from minitorch.utils._pytree import register_dataclass, tree_map
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> register_dataclass(Point)
    >>> tree_map(lambda n: n + 1, Point(1, 2))
    Point(x=2, y=3)
    """
    names = _field_names(cls, field_names, set(drop_field_names or ()))

    def flatten(obj):
        values = {name: getattr(obj, name) for name in names}
        there = [name for name in names if values[name] is not None]
        return [values[name] for name in there], [there, [n for n in names if values[n] is None]]

    def unflatten(values, context):
        there, missing = context
        return cls(**dict(zip(there, values, strict=True)), **dict.fromkeys(missing))

    def flatten_with_keys(obj):
        values, (there, _) = flatten(obj)
        return [(GetAttrKey(n), v) for n, v in zip(there, values, strict=True)], there

    _private_register_pytree_node(
        cls,
        flatten,
        unflatten,
        serialized_type_name=serialized_type_name,
        flatten_with_keys_fn=flatten_with_keys,
    )


def _field_names(cls, names, dropped):
    if not dataclasses.is_dataclass(cls):
        if names is None:
            raise ValueError(
                "field_names must be specified with a list of all fields used to "
                f"initialize {cls}, as it is not a dataclass."
            )
        return names
    fields = [field.name for field in dataclasses.fields(cls) if field.init]
    if names is None:
        return fields
    wanted = set(fields) - dropped
    if wanted == set(names):
        return names
    text = "field_names does not include all dataclass fields.\n"
    if missing := wanted - set(names):
        text += (
            f"Missing fields in `field_names`: {missing}. If you want to include these fields in the "
            "pytree, please add them to `field_names`, otherwise please add them to "
            "`drop_field_names`.\n"
        )
    if unexpected := set(names) - wanted:
        text += (
            f"Unexpected fields in `field_names`: {unexpected}. Please remove these fields, or add "
            "them to `drop_field_names`.\n"
        )
    raise ValueError(text)


@dataclass(frozen=True)
class ConstantNode:
    """The context of a constant: itself."""

    value: Any


def register_constant(cls):
    """Make a class a container without children, so that its instances belong to a tree's structure.

    Raises
    ------
    TypeError
        When the class does not define ``__eq__`` and ``__hash__``.
    """
    # a class that defines the first alone has None for the second
    for name, missing in (("__eq__", object.__eq__), ("__hash__", None)):
        if getattr(cls, name) is missing:
            raise TypeError(
                f"register_constant(cls) expects `cls` to have a non-default `{name}` implementation."
            )

    def flatten(x):
        return [], ConstantNode(x)

    _private_register_pytree_node(
        cls, flatten, lambda _, context: context.value, flatten_with_keys_fn=flatten
    )
    CONSTANT_NODES.add(cls)


def is_constant_class(cls):
    """Return True if a class was registered by `register_constant`."""
    return isinstance(cls, type) and cls in CONSTANT_NODES


# -- Python's containers ----------------------------------------------------------------------------


def is_namedtuple_class(cls):
    """Return True if a class is a namedtuple class."""
    if not (isinstance(cls, type) and issubclass(cls, tuple)):
        return False
    fields = getattr(cls, "_fields", None)
    return (
        isinstance(fields, tuple)
        and all(type(field) is str for field in fields)
        and callable(getattr(cls, "_make", None))
        and callable(getattr(cls, "_asdict", None))
    )


def is_namedtuple_instance(obj):
    """Return True if an object is a namedtuple."""
    return is_namedtuple_class(type(obj))


def is_namedtuple(obj):
    """Return True if an object or a class is a namedtuple."""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


class structseq(tuple):
    """A stand-in type for struct sequences, for annotations; it has no instances."""

    __slots__ = ()

    def __init_subclass__(cls):
        raise TypeError("type 'structseq' is not an acceptable base type")

    def __new__(cls, sequence, dict=...):
        """Raise NotImplementedError, since instances are created by C classes only."""
        raise NotImplementedError


_MAY_BE_DERIVED_FROM = 1 << 10


def is_structseq_class(cls):
    """Return True if a class is a struct sequence, such as `time.struct_time`."""
    return (
        isinstance(cls, type)
        and cls.__bases__ == (tuple,)
        and all(
            isinstance(getattr(cls, name, None), int)
            for name in ("n_fields", "n_sequence_fields", "n_unnamed_fields")
        )
        and not cls.__flags__ & _MAY_BE_DERIVED_FROM
    )


def is_structseq_instance(obj):
    """Return True if an object is a struct sequence."""
    return is_structseq_class(type(obj))


def is_structseq(obj):
    """Return True if an object or a class is a struct sequence."""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def _tuple_flatten(d):
    return list(d), None


def _tuple_unflatten(values, context):
    return tuple(values)


def _list_flatten(d):
    return d, None


def _list_unflatten(values, context):
    return list(values)


def _list_flatten_with_keys(d):
    return [(SequenceKey(k), v) for k, v in enumerate(d)], None


_tuple_flatten_with_keys = _list_flatten_with_keys


def _dict_flatten(d):
    return list(d.values()), list(d)


def _dict_unflatten(values, context):
    return dict(zip(context, values, strict=True))


def _dict_flatten_with_keys(d):
    return [(MappingKey(k), v) for k, v in d.items()], list(d)


def _ordereddict_unflatten(values, context):
    return OrderedDict(zip(context, values, strict=True))


def _defaultdict_flatten(d):
    return list(d.values()), [d.default_factory, list(d)]


def _defaultdict_unflatten(values, context):
    factory, keys = context
    return defaultdict(factory, zip(keys, values, strict=True))


def _defaultdict_flatten_with_keys(d):
    return _dict_flatten_with_keys(d)[0], [d.default_factory, list(d)]


def _defaultdict_serialize(context):
    factory, keys = context
    return {
        "default_factory_module": factory.__module__,
        "default_factory_name": factory.__qualname__,
        "dict_context": keys,
    }


def _defaultdict_deserialize(dumped):
    if not isinstance(dumped, dict):
        raise AssertionError("dumpable_context must be a dict")
    expected = {"default_factory_module", "default_factory_name", "dict_context"}
    if set(dumped) != expected:
        raise AssertionError(f"dumpable_context keys must be {expected}, got {set(dumped)}")
    for key in ("default_factory_module", "default_factory_name"):
        if not isinstance(dumped[key], str):
            raise AssertionError(f"{key} must be a string")
    module = importlib.import_module(dumped["default_factory_module"])
    return [getattr(module, dumped["default_factory_name"]), dumped["dict_context"]]


def _deque_flatten(d):
    return list(d), d.maxlen


def _deque_unflatten(values, context):
    return deque(values, maxlen=context)


def _deque_flatten_with_keys(d):
    return _list_flatten_with_keys(d)[0], d.maxlen


def _namedtuple_flatten(d):
    return list(d), type(d)


def _namedtuple_unflatten(values, context):
    return context(*values)


def _namedtuple_flatten_with_keys(d):
    return [(GetAttrKey(n), v) for n, v in zip(d._fields, d, strict=True)], type(d)


def _namedtuple_serialize(context):
    found = SUPPORTED_SERIALIZED_TYPES.get(context)
    reason = "we didn't register a serializated_type_name"
    if found is not None:
        if found.serialized_type_name != NO_SERIALIZED_TYPE_NAME_FOUND:
            return found.serialized_type_name
        reason = "we couldn't find a serializated_type_name"
    raise NotImplementedError(
        f"Can't serialize TreeSpec of namedtuple class {context} because {reason}. Please register "
        "using `_register_namedtuple`."
    )


def _namedtuple_deserialize(dumped):
    if dumped not in SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise NotImplementedError(
            f"Can't deserialize TreeSpec of namedtuple class {dumped} because we couldn't find a "
            "serializated name."
        )
    return SERIALIZED_TYPE_TO_PYTHON_TYPE[dumped]


def _register_namedtuple(cls, *, serialized_type_name):
    """Give a named tuple, which is a container anyway, a name in text."""
    _private_register_pytree_node(cls, **_NAMED_OPTIONS, serialized_type_name=serialized_type_name)


_NAMED_OPTIONS: dict[str, Any] = {
    "flatten_fn": _namedtuple_flatten,
    "unflatten_fn": _namedtuple_unflatten,
    "to_dumpable_context": _namedtuple_serialize,
    "from_dumpable_context": _namedtuple_deserialize,
    "flatten_with_keys_fn": _namedtuple_flatten_with_keys,
}

register_pytree_node(
    tuple,
    _tuple_flatten,
    _tuple_unflatten,
    serialized_type_name="builtins.tuple",
    flatten_with_keys_fn=_list_flatten_with_keys,
)
register_pytree_node(
    list,
    _list_flatten,
    _list_unflatten,
    serialized_type_name="builtins.list",
    flatten_with_keys_fn=_list_flatten_with_keys,
)
register_pytree_node(
    dict,
    _dict_flatten,
    _dict_unflatten,
    serialized_type_name="builtins.dict",
    flatten_with_keys_fn=_dict_flatten_with_keys,
)
register_pytree_node(namedtuple, **_NAMED_OPTIONS, serialized_type_name="collections.namedtuple")
register_pytree_node(
    OrderedDict,
    _dict_flatten,
    _ordereddict_unflatten,
    serialized_type_name="collections.OrderedDict",
    flatten_with_keys_fn=_dict_flatten_with_keys,
)
register_pytree_node(
    defaultdict,
    _defaultdict_flatten,
    _defaultdict_unflatten,
    serialized_type_name="collections.defaultdict",
    to_dumpable_context=_defaultdict_serialize,
    from_dumpable_context=_defaultdict_deserialize,
    flatten_with_keys_fn=_defaultdict_flatten_with_keys,
)
register_pytree_node(
    deque,
    _deque_flatten,
    _deque_unflatten,
    serialized_type_name="collections.deque",
    flatten_with_keys_fn=_deque_flatten_with_keys,
)

# a size comes together as a plain tuple
register_pytree_node(
    Size,
    _tuple_flatten,
    _tuple_unflatten,
    serialized_type_name="torch.Size",
    flatten_with_keys_fn=_list_flatten_with_keys,
)


def register_results(cls):
    """Make the class of an operator's several results a container."""
    register_pytree_node(
        cls,
        _tuple_flatten,
        lambda values, _: cls(values),
        flatten_with_keys_fn=_list_flatten_with_keys,
    )
    return SUPPORTED_NODES[cls]
