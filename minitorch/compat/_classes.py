"""`torch.classes`, the namespace of classes written in C++, which is empty here."""

import types

__all__ = ["classes"]


class _ClassNamespace(types.ModuleType):
    def __init__(self, name):
        super().__init__(f"torch.classes{name}")
        self.name = name

    def __getattr__(self, attr):
        raise RuntimeError(
            f"Tried to instantiate class '{self.name}.{attr}', but it does not exist! "
            "Ensure that it is registered via torch::class_"
        )


class _Classes(types.ModuleType):
    __file__ = "_classes.py"

    def __init__(self):
        super().__init__("torch.classes")

    def __getattr__(self, name):
        namespace = _ClassNamespace(name)
        setattr(self, name, namespace)
        return namespace


classes = _Classes()
