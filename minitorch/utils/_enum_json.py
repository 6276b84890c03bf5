"""Enum members in JSON."""

import enum
import functools
import importlib
import json


class EnumEncoder(json.JSONEncoder):
    """An encoder that writes enum members as the names of class and member."""

    def default(self, obj):
        """Return the JSON form of an enum member."""
        if isinstance(obj, enum.Enum):
            kind = type(obj)
            path = f"{kind.__module__}:{kind.__qualname__}"
            return {"__enum__": True, "fqn": path, "name": obj.name}
        return super().default(obj)


def enum_object_hook(obj):
    """Return the enum member written by `EnumEncoder`, and other objects unchanged."""
    if "__enum__" not in obj:
        return obj
    module, _, path = obj["fqn"].partition(":")
    kind = functools.reduce(getattr, path.split("."), importlib.import_module(module))
    return kind[obj["name"]]
