"""Call every method of every public class with junk, and with a receiver of another class.

The arguments are a seed and the share of the calls that is made, 1 for all of them.
"""

import inspect
import random
import sys

from survival import survive

import minitorch as torch

SEED, SHARE = int(sys.argv[1]), float(sys.argv[2])


class Odd:
    """Every conversion of it raises."""

    def __index__(self):
        raise ZeroDivisionError

    __float__ = __bool__ = __len__ = __iter__ = __getitem__ = __index__


JUNK = [
    None,
    0,
    -1,
    2**63,
    2.5,
    float("nan"),
    1j,
    "x",
    b"x",
    (),
    [],
    {},
    [None],
    (1, "x"),
    [[[]]],
    slice(None),
    Ellipsis,
    object(),
    Odd(),
    type,
    len,
    torch.ones(2),
    torch.ones(2, 3, requires_grad=True),
    torch.tensor(True),
    torch.float32,
    torch.device("cpu"),
    torch.Size((2,)),
    torch.ones(3).untyped_storage(),
]
# they end the process, wait for another one, read a terminal, or clean up what others need
LEFT_OUT = (
    "init_process_group",
    "breakpoint",
    "set_trace",
    "exit",
    "_exit",
    "abort",
    "fork",
    "spawn",
    "wait",
    "hub",
    "download",
    "input",
    "_crash_if",
    "kill",
    "save",
    "rmtree",
)


def argument_lists():
    yield ()
    for junk in JUNK:
        junk = junk.copy() if type(junk) in (list, dict) else junk  # what is called may change it
        yield (junk,)
        yield (junk, junk)
    yield (None, None, None)
    yield (None,) * 4
    yield (torch.ones(2), None, 2**63)


def public_classes():
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("minitorch") and module is not None:
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__.startswith(("minitorch", "torch")):
                    found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


def functions():
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("minitorch") and str(getattr(module, "__file__", "")).endswith(".so"):
            for key, value in list(vars(module).items()):
                if (
                    callable(value)
                    and not isinstance(value, type)
                    and not key.startswith("_register")
                ):
                    found[f"{name}.{key}"] = value
    for key, value in vars(torch).items():
        if callable(value) and not isinstance(value, type):
            found[f"torch.{key}"] = value
    return found


def instance_of(cls):
    if issubclass(cls, torch.Tensor):
        return torch.ones(2, 3)
    for arguments in ((), (1,), (2, 3), ([torch.ones(2)],)):
        try:
            return cls(*arguments)
        except Exception:  # noqa: S112
            continue
    return None


def is_pythons(cls, name):
    """Tell whether a class has a method from `int` or another class of Python, such as ``3 ** 2**63``."""
    owner = next((base for base in cls.__mro__ if name in vars(base)), object)
    return owner is not object and owner.__module__ == "builtins"


def tried(function, *receivers):
    def call():
        for receiver in receivers:
            for arguments in argument_lists():
                try:
                    function(*receiver, *arguments)
                except Exception:  # noqa: S110
                    pass

    return call


def calls():
    for name, cls in public_classes().items():
        receivers = [(None,), (3,), (object(),)]
        made = instance_of(cls)
        if made is not None:
            receivers.append((made,))
        for key in dir(cls):
            if key in ("__class__", "__subclasshook__") or any(part in key for part in LEFT_OUT):
                continue
            if is_pythons(cls, key):
                continue
            try:
                value = inspect.getattr_static(cls, key)
            except AttributeError:
                continue
            if inspect.isdatadescriptor(value):
                yield f"{name}.{key}", tried(value.__get__, *receivers)
            elif callable(getattr(cls, key, None)):
                yield f"{name}.{key}", tried(getattr(cls, key), *receivers)
    for name, function in functions().items():
        if not any(part in name for part in LEFT_OUT):
            yield name, tried(function, ())


everything = list(calls())
some = random.Random(SEED).sample(everything, round(SHARE * len(everything)))
# a child makes few calls, since one may enter a mode in which those that follow raise at once
for start in range(0, len(some), 200):
    print(*survive(some[start : start + 200], seconds=3), sep="\n")
