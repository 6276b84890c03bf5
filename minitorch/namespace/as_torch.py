"""``import torch`` means minitorch: `install_as_torch`, `uninstall_as_torch`.

A finder at the head of ``sys.meta_path`` answers for ``torch`` and every ``torch.x.y`` with the
module ``minitorch.x.y`` itself, so ``torch.nn is minitorch.nn`` and no class exists twice. What
minitorch has no module for is not looked for elsewhere: the import fails with the name that was
asked for, also where PyTorch is installed beside it.

PyTorch's wheel has a second package, ``functorch``. A finder at the end of ``sys.meta_path`` answers for that
name where no such package is there.
"""

import importlib
import importlib.util
import sys
from types import FunctionType, ModuleType

__all__ = ["install_as_torch", "uninstall_as_torch"]

_HERE = __name__
_OURS = _HERE.partition(".")[0]
_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: a class written in C, whose names cannot be changed


def _name_of_ours(name):
    """``minitorch.x`` for ``torch.x``, None for what is no part of torch."""
    head, dot, rest = name.partition(".")
    return f"{_OURS}{dot}{rest}" if head == "torch" else None


def _name_of_functorch(name):
    """The same for ``functorch.x``."""
    head, dot, rest = name.partition(".")
    return f"{_OURS}._functorch.package{dot}{rest}" if head == "functorch" else None


def _spec_of_attribute(name):
    """Of a module that stands elsewhere and is only named here, as ``minitorch.return_types``."""
    parent, _, child = name.rpartition(".")
    module = getattr(sys.modules.get(parent), child, None)
    return module.__spec__ if isinstance(module, ModuleType) else None


class _SameModule:
    """A loader that hands out a module which another name has already."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        # the import system is about to write its spec over the module's own
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
    """What ``importlib.metadata.version("torch")`` reads."""
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
    """The spec by which the module called `ours` is imported as `name`; None if there is none."""
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
    """Asked when nobody else knows the name."""

    def find_spec(self, name, path=None, target=None):
        return _spec_of_same(name, _name_of_functorch(name))

    def invalidate_caches(self):
        """Nothing is kept."""


class _Finder:
    """The finder, and what stood in the places it took."""

    def __init__(self) -> None:
        self.modules: dict[str, ModuleType] = {}
        # what has another __module__ while installed: (class or function, the one before)
        self.renamed: list[tuple[object, str]] = []
        self.version = None
        self.preparation_data = None

    def find_spec(self, name, path=None, target=None):
        return _spec_of_same(name, _name_of_ours(name))

    def find_distributions(self, context=None):
        if getattr(context, "name", None) == "torch":
            yield _distribution(sys.modules[_OURS].__version__)

    def invalidate_caches(self):
        """Nothing is kept."""


_finder = _Finder()
_functorch_finder = _FunctorchFinder()


class _InstallOnArrival:
    """Installs minitorch as torch in the process that unpickles it."""

    def __reduce__(self):
        return install_as_torch, ()


def _preparation_data(name):
    """What a started interpreter is told before it imports the program: this installation, first."""
    return {_OURS: _InstallOnArrival(), **_finder.preparation_data(name)}


def _take_torch_modules():
    """Remove what ``torch`` and its submodules mean now from ``sys.modules``, and return it."""
    names = [name for name in sys.modules if name == "torch" or name.startswith("torch.")]
    return {name: sys.modules.pop(name) for name in names}


def _forget_functorch():
    """Remove functorch from ``sys.modules`` where it means ours."""
    for name, module in list(sys.modules.items()):
        ours = _name_of_functorch(name)
        if ours is not None and module is sys.modules.get(ours):
            del sys.modules[name]


def _under_torch(name):
    return f"torch{name[len(_OURS) :]}"


def _name_what_is_loaded():
    """Give every module of ours its name under torch, by which it is found and by which it calls itself.

    What stands in `sys.modules` is not imported, so it is not written to its parent again, where a function
    may have taken its place, as `autograd.gradcheck` has.
    """
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == _OURS:
            sys.modules.setdefault(_under_torch(name), module)
            if getattr(module, "__name__", None) == name:
                module.__name__ = _under_torch(name)
                _name_members(module)


def _name_members(module):
    """The same for its classes and functions, of which programs print the types and compare the modules."""
    name_of = importlib.import_module(f"{_OURS}._files.global_names").name_of
    for value in list(vars(module).values()):
        named = isinstance(value, (type, FunctionType)) or "__module__" in getattr(
            value, "__dict__", ()
        )
        before = value.__module__ if named else None
        if not isinstance(before, str) or before.partition(".")[0] != _OURS:
            continue
        if before == _HERE:  # who installs it elsewhere finds it before it is installed
            continue
        if isinstance(value, type) and value.__flags__ & _IMMUTABLE:
            continue
        # a folder that PyTorch does not have is none that a program knows
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
    """From now on ``import torch`` means minitorch, and ``torch.x`` means ``minitorch.x``.

    The modules are the same objects: ``torch.nn is minitorch.nn``. A PyTorch that was imported
    before stays with those who hold it, and comes back with `uninstall_as_torch`. While installed,
    the modules' ``__name__`` and the ``__module__`` of what is in them are those under torch, and
    ``__version__`` is the version of PyTorch whose behaviour this is, so that programs which ask for a
    lowest version of it find one. Processes that `multiprocessing` starts as fresh interpreters install it
    too. A second call changes nothing.

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
    # not imported before it is needed: it takes a fifth of the time that minitorch does
    spawn = importlib.import_module("multiprocessing.spawn")
    _finder.preparation_data = spawn.get_preparation_data
    spawn.get_preparation_data = _preparation_data


def uninstall_as_torch():
    """Undo `install_as_torch`: ``import torch`` means PyTorch again, if it is there.

    Modules that were imported in between keep the minitorch they found. Without an installation
    before it nothing happens.
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
