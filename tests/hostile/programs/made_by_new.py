"""Create every compiled class with ``__new__`` and use what comes."""

import copy
import gc
import pickle
import sys

from survival import compiled_classes, survive

import minitorch as torch
from minitorch import func, fx, nn, optim, sparse  # noqa: F401

OPERATIONS = [
    repr,
    str,
    hash,
    bool,
    len,
    iter,
    list,
    copy.copy,
    copy.deepcopy,
    pickle.dumps,
    float,
    int,
    complex,
    memoryview,
    bytes,
    dir,
    vars,
    gc.get_referents,
    sys.getsizeof,
    torch.tensor,
    torch.as_tensor,
    torch.is_tensor,
    lambda x: x == x,
    lambda x: x + x,
    lambda x: x @ x,
    lambda x: x[0],
    lambda x: x[:],
    lambda x: x[x],
    lambda x: -x,
    lambda x: x(),
    lambda x: x.__init__(),
    lambda x: x.__enter__(),
    lambda x: x.__exit__(None, None, None),
    lambda x: torch.add(x, x),
    lambda x: torch.autograd.grad(x, x),
    lambda x: torch.autograd.backward(x),
    lambda x: torch.ones(3, generator=x),
    lambda x: torch.rand(3, generator=x),
    lambda x: torch.ones(3, dtype=x),
    lambda x: torch.ones(3).set_(x),
    lambda x: torch.ones(3)[x],
    lambda x: torch.ones(3).__setitem__(0, x),
    lambda x: setattr(torch.ones(3), "data", x),
    lambda x: setattr(torch.ones(3), "grad", x),
]
ARGUMENTS = [
    (),
    (None,),
    (0,),
    ("x",),
    (torch.ones(2),),
    (0, 0),
    (None, None),
    (torch.ones(2), 0),
    (lambda *a: None,),
]


def made(cls):
    for arguments in ((), (0,), (None,), ("x",), (0, 0)):
        try:
            yield cls.__new__(cls, *arguments)
        except Exception:  # noqa: S112
            continue


def used(cls, name):
    def call():
        for x in made(cls):
            for operation in OPERATIONS if name is None else ():
                try:
                    operation(x)
                except Exception:  # noqa: S110
                    pass
            if name is not None:
                try:
                    value = getattr(x, name)
                except Exception:  # noqa: S112
                    continue
                for arguments in ARGUMENTS if callable(value) else ():
                    try:
                        value(*arguments)
                    except Exception:  # noqa: S110
                        pass
                for replacement in (None, 3, torch.ones(2)):
                    try:
                        setattr(x, name, replacement)
                    except Exception:  # noqa: S110
                        pass
                try:
                    getattr(x, name)
                    repr(x)
                except Exception:  # noqa: S110
                    pass
            del x
        gc.collect()

    return call


calls = []
for name, cls in compiled_classes().items():
    if "Backward" not in name or name.endswith(
        ("AddBackward0", "MulBackward0", "CatBackward0", "SplitBackward0")
    ):
        calls += [
            (f"{name}, {key or 'operations'}", used(cls, key))
            for key in (None, *dir(cls))
            if key != "__class__"
        ]
    else:
        calls.append((name, used(cls, None)))
print(len(calls), file=sys.stderr)
print(*survive(calls), sep="\n")
