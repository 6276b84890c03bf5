"""SciPy's pointers to BLAS and LAPACK, without the rest of ``scipy.linalg``.

``cimport scipy.linalg.cython_blas`` imports the packages around it first, which is two thirds of
the time that ``import minitorch`` would take, and none of it is used. So `borrow` loads the two
extension modules with empty packages around them, before the first kernel asks for them, and
`give_back` forgets all of it when minitorch is imported: whoever then imports ``scipy.linalg`` gets
the real one, with the same two modules inside, which a process holds only once.

Invariant: between `borrow` and `give_back` nothing but the two modules, and what they need
themselves, is imported from ``scipy``; where a program has imported it before, both do nothing. On
Windows they do nothing too: ``scipy`` has to say there first where its libraries are.
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
    """Load the two modules; the first of them, which is linked with BLAS."""
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
    """Forget what was loaded, so that the next import finds the real packages."""
    global _borrowed
    if _borrowed:
        _borrowed = False
        for name in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
            del sys.modules[name]
