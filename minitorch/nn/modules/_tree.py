"""Iteration over a module, its descendants and their tensors."""


class Tree:
    """Mixin of `Module` that iterates over each module, parameter and buffer once."""

    def children(self):
        """Iterate over the direct children."""
        for _, module in self.named_children():
            yield module

    def named_children(self):
        """Iterate over pairs of a name and a direct child."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate=True):
        """Iterate over this module and all its descendants."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """Iterate over pairs of a dotted name and a module, for this module and its descendants."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def _named_members(self, members_of, prefix, recurse, remove_duplicate):
        seen = set()
        modules = (
            self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
            if recurse
            else [(prefix, self)]
        )
        for path, module in modules:
            for name, value in members_of(module):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield f"{path}.{name}" if path else name, value

    def parameters(self, recurse=True):
        """Iterate over the parameters."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Iterate over pairs of a dotted name and a parameter."""
        return self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse=True):
        """Iterate over the buffers."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Iterate over pairs of a dotted name and a buffer."""
        return self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def get_submodule(self, target):
        """Return the descendant with a dotted name; the module itself for an empty name."""
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Tree):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        """Replace the module at a dotted path, or add one there.

        Parameters
        ----------
        target : str
        module : Module
        strict : bool
            Raise AttributeError if there is no module at the path.

        Raises
        ------
        ValueError
            If the path is empty or `module` is not a Module.
        AttributeError
            If the path does not exist.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Tree):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        *path, name = target.split(".")
        parent = self.get_submodule(".".join(path))
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Tree):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target):
        """Return the parameter with a dotted name."""
        return self._get_tensor(target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target):
        """Return the buffer with a dotted name."""
        return self._get_tensor(target, "_buffers", "a buffer")

    def _get_tensor(self, target, place, kind):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        value = getattr(module, name)
        absent = value is None and place == "_parameters"
        if absent or name not in getattr(module, place):
            raise AttributeError(f"`{name}` is not {kind}")
        return value
