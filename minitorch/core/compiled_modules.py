"""Find the compiled modules: those of a folder are in one shared library.

Note [One library for a folder]
Each .pyx file is a module, and the modules of a folder are linked into one library, which bears the name of
`LIBRARY`. Python's loader can take any module from it, because the function that makes the module is called
``PyInit_`` and the module's name (PEP 489). Python only has to be told in which file to look, which the finder
below does. With a library for each module, the package would be 3.5 MB larger, and importing it would take a sixth
longer: for each library, memory is mapped, and its symbols are looked up.

The finder comes last, so that a module with a library of its own is found before the one in the folder's library:
tests/mutants.py builds changed modules in this way.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType

from minitorch.core.module_table import MODULES

LIBRARY = "_compiled" + EXTENSION_SUFFIXES[0]


class CompiledModuleFinder:
    """An entry of ``sys.meta_path`` that finds the modules of `MODULES` in their folders' libraries."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the module `name` is, given the ``__path__`` of its package, or None."""
        if name not in MODULES or not path:
            return None
        library = os.path.join(path[0], LIBRARY)
        if not os.path.exists(library):
            return None
        return spec_from_file_location(name, library, loader=ExtensionFileLoader(name, library))


def install() -> None:
    """Let Python find the compiled modules."""
    if CompiledModuleFinder not in sys.meta_path:
        sys.meta_path.append(CompiledModuleFinder)
