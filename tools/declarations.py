"""Read the .pxd files once for all modules that are translated.

Note [Declarations are read once]
Cython analyses every .pxd file that a module cimports, directly or not, again for each module: that was more than half
of the time in which 280 modules were translated. One context cannot translate several modules, because what a module
does to the declarations stays with them. So the declarations are read into one context, and each module is translated
in a child process that is forked from there, and ends with it.

The C file must not depend on what else is translated in the same build. Two things of the context say which .pxd files
have been read, and are set to what they would be if the module had been translated alone: `pxds`, whose functions are
written into every C file, and `used` of a function, which is set by a cimport of it anywhere.
"""

from itertools import chain
from typing import Any

from Cython.Compiler.Main import Context


class Declarations(Context):
    """A context of Cython that reads .pxd files, and is then used to translate one module."""

    def __init__(self, *arguments: Any, **options: Any):
        # of each .pxd file that is being read, the outermost first: its scope, the scopes that it asks for,
        # and what it uses of them. The first place is that of the module.
        self._reading: list[tuple[Any, list[Any], list[Any]]] = [(None, [], [])]
        self._read: dict[Any, tuple[list[Any], list[Any]]] = {}
        self._kept: dict[Any, tuple[str, Any]] = {}
        self._in_module = False
        super().__init__(*arguments, **options)

    def begin_module(self) -> None:
        """Forget what has been read until the module asks for it."""
        self._in_module = True
        self._kept = {pxd[1]: (name, pxd) for name, pxd in self.pxds.items()}
        self.pxds = {}

    def find_module(self, *arguments: Any, **options: Any) -> Any:
        scope = super().find_module(*arguments, **options)
        self._reading[-1][1].append(scope)
        self._recall(scope)
        return scope

    def process_pxd(self, source: Any, scope: Any, module_name: str) -> Any:
        if self._in_module or source.in_utility_code:
            return super().process_pxd(source, scope, module_name)
        self._move_uses(self._reading[-1][2])
        self._reading.append((scope, [], []))
        result = super().process_pxd(source, scope, module_name)
        self._move_uses(self._reading[-1][2])
        self._read[scope] = self._reading.pop()[1:]
        return result

    def _move_uses(self, uses: list[Any]) -> None:
        """Move the functions that are marked as used to `uses`."""
        begun = (scope for scope, _, _ in self._reading[1:])
        for scope in chain(begun, (scope for _, scope in self.pxds.values())):
            for entry in chain(scope.entries.values(), scope.cfunc_entries):
                if entry.used:
                    entry.used = 0
                    uses.append(entry)

    def _recall(self, scope: Any) -> None:
        """Do what reading the .pxd file of `scope` does, if it was read before the module began."""
        if scope not in self._kept:
            return
        name, pxd = self._kept.pop(scope)
        asked, uses = self._read[scope]
        for other in asked:
            self._recall(other)
        for entry in uses:
            entry.used = 1
        self.pxds[name] = pxd
