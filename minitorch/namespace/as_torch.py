"""Make ``import torch`` import minitorch: `install_as_torch`, `uninstall_as_torch`.

A finder at the head of ``sys.meta_path`` resolves ``torch`` and every ``torch.x.y`` to the module
``minitorch.x.y`` itself, so ``torch.nn is minitorch.nn`` and no class exists twice. If minitorch
has no such module, the import fails with the requested name, even if PyTorch is also installed.

PyTorch's wheel contains a second package, ``functorch``. A finder at the end of ``sys.meta_path``
resolves this name if no such package is installed.
"""

import importlib
import importlib.util
import sys
from types import FunctionType, ModuleType

__all__ = ["install_as_torch", "uninstall_as_torch"]

_HERE = __name__
_OURS = _HERE.partition(".")[0]
_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: a class in C, whose attributes cannot be changed


def _name_of_ours(name):
    """Return ``minitorch.x`` for ``torch.x``, None for a name outside torch."""
    head, dot, rest = name.partition(".")
    return f"{_OURS}{dot}{rest}" if head == "torch" else None


def _name_of_functorch(name):
    """Return minitorch's module name for ``functorch.x``, None for other names."""
    head, dot, rest = name.partition(".")
    return f"{_OURS}._functorch.package{dot}{rest}" if head == "functorch" else None


def _spec_of_attribute(name):
    """Return the spec of a module that is an attribute here, such as ``minitorch.return_types``."""
    parent, _, child = name.rpartition(".")
    module = getattr(sys.modules.get(parent), child, None)
    return module.__spec__ if isinstance(module, ModuleType) else None


class _SameModule:
    """A loader that returns a module which is already loaded under another name."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        # the import system is about to replace the module's own spec
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec
        _name_what_is_loaded()

    def get_code(self, name):
        return self._own_loader().get_code(self.name)

    def get_source(self, name):
        return self._own_loader().get_source(self.name)

    def is_package(self, name):
        return importlib.util.find_spec(self.name).submodule_search_locations is not None

    def _own_loader(self):
        return importlib.util.find_spec(self.name).loader


def _distribution(version):
    """Return the distribution that ``importlib.metadata.version("torch")`` reads."""
    from importlib.metadata import Distribution

    class Torch(Distribution):
        def read_text(self, filename):
            if filename == "METADATA":
                return f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n"
            return None

        def locate_file(self, path):
            raise FileNotFoundError(path)

    return Torch()


def _spec_of_same(name, ours):
    """Return the spec to import the module `ours` as `name`, or None if there is no module."""
    if ours is None:
        return None
    try:
        found = importlib.util.find_spec(ours) or _spec_of_attribute(ours)
    except ModuleNotFoundError:
        return None
    if found is None:
        return None
    locations = found.submodule_search_locations
    return importlib.util.spec_from_loader(
        name, _SameModule(found.name), origin=found.origin, is_package=locations is not None
    )


class _FunctorchFinder:
    """Finder of ``functorch``, used after all other finders have failed."""

    def find_spec(self, name, path=None, target=None):
        return _spec_of_same(name, _name_of_functorch(name))

    def invalidate_caches(self):
        """Do nothing, because nothing is cached."""


class _Finder:
    """Finder of ``torch``, and the state to restore on uninstallation."""

    def __init__(self) -> None:
        self.modules: dict[str, ModuleType] = {}
        # classes and functions whose __module__ is changed while installed: (object, previous
        # value)
        self.renamed: list[tuple[object, str]] = []
        self.version = None
        self.preparation_data = None

    def find_spec(self, name, path=None, target=None):
        return _spec_of_same(name, _name_of_ours(name))

    def find_distributions(self, context=None):
        if getattr(context, "name", None) == "torch":
            yield _distribution(sys.modules[_OURS].__version__)

    def invalidate_caches(self):
        """Do nothing, because nothing is cached."""


_finder = _Finder()
_functorch_finder = _FunctorchFinder()


class _InstallOnArrival:
    """An object that installs minitorch as torch in the process that unpickles it."""

    def __reduce__(self):
        return install_as_torch, ()


def _preparation_data(name):
    """Return a spawned interpreter's preparation data, which installs minitorch as torch."""
    return {_OURS: _InstallOnArrival(), **_finder.preparation_data(name)}


def _take_torch_modules():
    """Remove ``torch`` and its submodules from ``sys.modules`` and return them."""
    names = [name for name in sys.modules if name == "torch" or name.startswith("torch.")]
    return {name: sys.modules.pop(name) for name in names}


def _forget_functorch():
    """Remove minitorch's functorch modules from ``sys.modules``."""
    for name, module in list(sys.modules.items()):
        ours = _name_of_functorch(name)
        if ours is not None and module is sys.modules.get(ours):
            del sys.modules[name]


def _under_torch(name):
    return f"torch{name[len(_OURS) :]}"


def _name_what_is_loaded():
    """Register every loaded module of minitorch under torch, and rename it.

    Modules that are found in `sys.modules` are not imported again. An import would overwrite the
    attribute of the parent module, which may be a function of the same name, as for
    `autograd.gradcheck`.
    """
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == _OURS:
            sys.modules.setdefault(_under_torch(name), module)
            if getattr(module, "__name__", None) == name:
                module.__name__ = _under_torch(name)
                _name_members(module)


def _name_members(module):
    """Rename a module's classes and functions, because programs print and compare their modules."""
    name_of = importlib.import_module(f"{_OURS}._files.global_names").name_of
    for value in list(vars(module).values()):
        named = isinstance(value, (type, FunctionType)) or "__module__" in getattr(
            value, "__dict__", ()
        )
        before = value.__module__ if named else None
        if not isinstance(before, str) or before.partition(".")[0] != _OURS:
            continue
        if before == _HERE:  # these functions are looked up before the installation
            continue
        if isinstance(value, type) and value.__flags__ & _IMMUTABLE:
            continue
        # programs do not know the folders that PyTorch does not have
        place = name_of(value) if "._" in before or ".core." in before else None
        value.__module__ = _under_torch(before) if place is None else place[0]
        _finder.renamed.append((value, before))


def _name_as_before():
    importlib.import_module(f"{_OURS}.core.dtype")._name_class_in(_OURS)
    while _finder.renamed:
        value, before = _finder.renamed.pop()
        value.__module__ = before
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == _OURS and getattr(module, "__name__", None) == _under_torch(
            name
        ):
            module.__name__ = name


def install_as_torch():
    """Make ``import torch`` import minitorch, and ``torch.x`` import ``minitorch.x``.

    The modules are the same objects: ``torch.nn is minitorch.nn``. References to a PyTorch that was
    imported before stay valid, and `uninstall_as_torch` restores it in ``sys.modules``. While
    installed, the modules' ``__name__`` and the ``__module__`` of their members are the names under
    torch, and ``__version__`` is the PyTorch version that minitorch reproduces, so that programs
    which require a minimal version accept it. New interpreters started by `multiprocessing` install
    it too. Further calls have no effect.

    Returns
    -------
    None

    Examples
    --------
    >>> import minitorch
    >>> minitorch.install_as_torch()
    >>> import torch.nn
    >>> torch.nn is minitorch.nn
    True
    >>> minitorch.uninstall_as_torch()
    """
    if _finder in sys.meta_path:
        return
    ours = sys.modules[_OURS]
    _finder.modules = _take_torch_modules()
    _finder.version = ours.__version__
    ours.__version__ = importlib.import_module(f"{_OURS}.version").__version__
    sys.meta_path.insert(0, _finder)
    sys.meta_path.append(_functorch_finder)
    _name_what_is_loaded()
    importlib.import_module(f"{_OURS}.core.dtype")._name_class_in("torch")
    # imported here because it takes a fifth of minitorch's import time
    spawn = importlib.import_module("multiprocessing.spawn")
    _finder.preparation_data = spawn.get_preparation_data
    spawn.get_preparation_data = _preparation_data


def uninstall_as_torch():
    """Undo `install_as_torch`: ``import torch`` means PyTorch again, if it is installed.

    Modules imported in the meantime keep their references to minitorch. Without a previous
    installation, the call has no effect.

    Returns
    -------
    None

    Examples
    --------
    >>> import sys
    >>> import minitorch
    >>> minitorch.install_as_torch()
    >>> minitorch.uninstall_as_torch()
    >>> sys.modules.get("torch") is minitorch
    False
    """
    if _finder not in sys.meta_path:
        return
    sys.meta_path.remove(_finder)
    sys.meta_path.remove(_functorch_finder)
    _take_torch_modules()
    _forget_functorch()
    sys.modules.update(_finder.modules)
    _finder.modules = {}
    sys.modules["multiprocessing.spawn"].get_preparation_data = _finder.preparation_data
    sys.modules[_OURS].__version__ = _finder.version
    _name_as_before()
