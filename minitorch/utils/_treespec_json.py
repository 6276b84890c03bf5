"""Serialization of pytree structures to JSON."""

import json

from minitorch.utils._enum_json import EnumEncoder, enum_object_hook
from minitorch.utils._pytree_nodes import (
    NO_SERIALIZED_TYPE_NAME_FOUND,
    SERIALIZED_TYPE_TO_PYTHON_TYPE,
    SUPPORTED_SERIALIZED_TYPES,
)

DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL = 1


def _to_json(spec):
    if spec.is_leaf():
        return {"type": None, "context": None, "children_spec": []}
    if spec.type not in SUPPORTED_SERIALIZED_TYPES:
        raise NotImplementedError(f"Serializing {spec.type} in pytree is not registered.")
    written = SUPPORTED_SERIALIZED_TYPES[spec.type]
    if written.serialized_type_name == NO_SERIALIZED_TYPE_NAME_FOUND:
        raise NotImplementedError(
            f"No registered serialization name for {spec.type} found. Please update your "
            "_register_pytree_node call with a `serialized_type_name` kwarg."
        )
    if written.to_dumpable_context is not None:
        context = written.to_dumpable_context(spec._context)
    else:
        try:
            context = json.dumps(spec._context, cls=EnumEncoder)
        except TypeError as error:
            raise TypeError(
                "Unable to serialize context. Please make the context json dump-able, or register a "
                "custom serializer using _register_pytree_node."
            ) from error
    return {
        "type": written.serialized_type_name,
        "context": context,
        "children_spec": [_to_json(child) for child in spec._children],
    }


def _from_json(schema, leaf, make_spec):
    if schema["type"] is None and schema["context"] is None and not schema["children_spec"]:
        return leaf
    if schema["type"] not in SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise NotImplementedError(f"Deserializing {schema['type']} in pytree is not registered.")
    kind = SERIALIZED_TYPE_TO_PYTHON_TYPE[schema["type"]]
    read = SUPPORTED_SERIALIZED_TYPES[kind].from_dumpable_context
    if read is not None:
        context = read(schema["context"])
    else:
        try:
            context = json.loads(schema["context"], object_hook=enum_object_hook)
        except TypeError as error:
            raise TypeError(
                "Unable to deserialize context. Please make the context json load-able, or register "
                "a custom serializer using _register_pytree_node."
            ) from error
    children = [_from_json(child, leaf, make_spec) for child in schema["children_spec"]]
    return make_spec(kind, context, children)


def _check_protocol(protocol):
    if protocol != DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [1]")


def dumps(spec, protocol):
    """Return the JSON text for `treespec_dumps`."""
    if protocol is None:
        protocol = DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL
    _check_protocol(protocol)
    return json.dumps((protocol, _to_json(spec)), cls=EnumEncoder)


def loads(text, leaf, make_spec):
    """Return the structure for `treespec_loads`.

    Parameters
    ----------
    text : str
    leaf : TreeSpec
        The structure of a leaf.
    make_spec : callable
        Returns the structure of a container from its type, context and children.
    """
    protocol, schema = json.loads(text)
    _check_protocol(protocol)
    return _from_json(schema, leaf, make_spec)
