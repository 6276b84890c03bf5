"""Members of enumerations as JSON."""

import enum
import functools
import importlib
import json


class EnumEncoder(json.JSONEncoder):
    """Writes the members of enumerations by the names of class and member."""

    def default(self, obj):
        """What stands for an object that JSON has no form of."""
        if isinstance(obj, enum.Enum):
            kind = type(obj)
            path = f"{kind.__module__}:{kind.__qualname__}"
            return {"__enum__": True, "fqn": path, "name": obj.name}
        return super().default(obj)


def enum_object_hook(obj):
    """What `EnumEncoder` wrote, read."""
    if "__enum__" not in obj:
        return obj
    module, _, path = obj["fqn"].partition(":")
    kind = functools.reduce(getattr, path.split("."), importlib.import_module(module))
    return kind[obj["name"]]
