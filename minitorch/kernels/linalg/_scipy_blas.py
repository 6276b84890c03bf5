"""SciPy's pointers to BLAS and LAPACK, without the rest of ``scipy.linalg``.

``cimport scipy.linalg.cython_blas`` first imports the packages around it. That would take two
thirds of the time of ``import minitorch``, although none of it is used. So `borrow` loads the two
extension modules with empty packages around them, before the first kernel needs them, and
`give_back` removes the packages after minitorch has been imported. A later import of
``scipy.linalg`` loads the real package, which contains the same two modules, since a process holds
an extension module only once.

Invariant: between `borrow` and `give_back`, only the two modules and their dependencies are
imported from ``scipy``. If the program has imported ``scipy`` before, both functions do nothing.
They do nothing on Windows either, where ``scipy`` must first register the folder of its
libraries.
"""

import importlib
import importlib.util
import os
import sys
from types import ModuleType

PACKAGES = ("scipy", "scipy.linalg")
MODULES = ("scipy.linalg.cython_blas", "scipy.linalg.cython_lapack")

_borrowed = False


def borrow():
    """Load the two modules and return the first one, which is linked with BLAS."""
    global _borrowed
    if "scipy" not in sys.modules and sys.platform != "win32":
        _borrowed = True
        folders = importlib.util.find_spec("scipy").submodule_search_locations
        for name in PACKAGES:
            package = sys.modules[name] = ModuleType(name)
            package.__path__ = [os.path.join(path, *name.split(".")[1:]) for path in folders]
    try:
        blas, _ = map(importlib.import_module, MODULES)
    except ImportError:
        give_back()
        raise
    return blas


def give_back():
    """Remove the loaded packages, so that the next import finds the real ones."""
    global _borrowed
    if _borrowed:
        _borrowed = False
        for name in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
            del sys.modules[name]
