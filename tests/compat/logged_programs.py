"""Random programs of which everything that is asked is written down: what `random_programs --logged` runs.

Each statement runs under a mode of ``__torch_dispatch__`` or ``__torch_function__``, or on tensors of a class that
has one of them; the functions that are told, with what they are given and in what order, must be PyTorch's.
"""

import importlib
import itertools
import re

import minitorch
from tests.compat.random_programs import Difference, Pair

WAYS = ("dispatch", "function", "wrapper", "subclass")


class LoggedPair(Pair):
    """The variables of a program in both libraries, and what is asked while it runs.

    Parameters
    ----------
    way : str
        ``"dispatch"`` or ``"function"``: a mode is on. ``"wrapper"`` or ``"subclass"``: the tensors that the program
        makes are of a class with ``__torch_dispatch__`` around others, or with ``__torch_function__``.
    """

    def __init__(self, way):
        super().__init__()
        self.logs = [Log(scope["torch"], way) for scope in self.scopes]
        for scope, log in zip(self.scopes, self.logs, strict=True):
            scope["told"] = log.told
        self.own.add("told")

    def execute(self, code, scope):
        with self.logs[scope["torch"] is minitorch]:
            return super().execute(code, scope)

    def run(self, text):
        made = re.fullmatch(r"(x\d+) = (torch\.arange\(.*)", text)
        error = super().run(f"{made[1]} = told({made[2]})" if made else text)
        theirs, ours = (log.asked for log in self.logs)
        if error is None and ours != theirs:
            raise Difference(first_difference(ours, theirs))
        return error


def first_difference(ours, theirs):
    """The functions around the place from which on two logs are not the same."""
    pairs = itertools.zip_longest(ours, theirs)
    start = next(k for k, (a, b) in enumerate(pairs) if a != b)
    before = theirs[max(0, start - 1) : start]
    return f"asks {ours[start : start + 4]}, not {theirs[start : start + 4]} after {before}"


class Log:
    """Writes down, while it is entered, what is asked in a library."""

    def __init__(self, torch, way):
        self.torch, self.way, self.asked, self.listens = torch, way, [], False
        self.python = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")
        self.tree_map = importlib.import_module(f"{torch.__name__}.utils._pytree").tree_map
        self.mode = self._mode() if way in ("dispatch", "function") else None
        self.cls = {"wrapper": self._wrapper, "subclass": self._subclass}.get(way, lambda: None)()

    def told(self, t):
        """A new tensor of the class that is asked."""
        if self.cls is None:
            return t
        listens, self.listens = self.listens, False
        made = self.cls(t.detach()) if self.way == "wrapper" else t.detach().as_subclass(self.cls)
        made.requires_grad_(t.requires_grad)
        self.listens = listens
        return made

    def __enter__(self):
        self.asked = []
        self.listens = True
        if self.mode is not None:
            self.mode.__enter__()

    def __exit__(self, *error):
        if self.mode is not None:
            self.mode.__exit__(*error)
        self.listens = False

    def write(self, func, args, kwargs):
        if not self.listens:
            return
        self.listens = False
        name = str(func)
        if self.way in ("function", "subclass"):
            name = self.torch.overrides.resolve_name(func) or getattr(func, "__name__", name)
        given = [self.described(a) for a in args]
        given += [f"{key}={self.described(value)}" for key, value in (kwargs or {}).items()]
        self.asked.append(f"{name}({', '.join(given)})")
        self.listens = True

    def described(self, value):
        """An argument as a log has it: of a tensor, its dtype and shape."""
        torch = self.torch
        if isinstance(value, torch.Tensor):
            kind = "" if type(value) is torch.Tensor else type(value).__name__ + " "
            return f"{kind}{str(value.dtype)[6:]}{list(value.shape)}"
        if isinstance(value, list | tuple):
            inside = ", ".join(map(self.described, value))
            return f"[{inside}]" if isinstance(value, list) else f"({inside})"
        plain = bool | int | float | complex | str | torch.dtype | slice | None
        if isinstance(value, plain):
            return repr(value)
        known = torch.device | torch.layout | torch.memory_format
        return str(value) if isinstance(value, known) else type(value).__name__

    def _mode(self):
        dispatch = self.way == "dispatch"

        def answer(mode, func, types, args=(), kwargs=None):
            self.write(func, args, kwargs)
            return func(*args, **(kwargs or {}))

        base = self.python.TorchDispatchMode if dispatch else self.torch.overrides.TorchFunctionMode
        return type("Logging", (base,), {f"__torch_{self.way}__": answer})()

    def _wrapper(self):
        log, torch, tree_map = self, self.torch, self.tree_map
        corrected = self.python.return_and_correct_aliasing

        class Wrapper(torch.Tensor):
            @staticmethod
            def __new__(cls, elem):
                return torch.Tensor._make_wrapper_subclass(
                    cls,
                    elem.shape,
                    strides=elem.stride(),
                    storage_offset=elem.storage_offset(),
                    dtype=elem.dtype,
                )

            def __init__(self, elem):
                self.elem = elem

            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                log.write(func, args, kwargs)
                given = tree_map(lambda a: a.elem if isinstance(a, Wrapper) else a, (args, kwargs))
                result = func(*given[0], **(given[1] or {}))
                result = tree_map(lambda r: cls(r) if isinstance(r, torch.Tensor) else r, result)
                return corrected(func, args, kwargs or {}, result)

        return Wrapper

    def _subclass(self):
        log = self

        class Overriding(self.torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                log.write(func, args, kwargs)
                return super().__torch_function__(func, types, args, kwargs or {})

        return Overriding
