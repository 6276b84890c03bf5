"""Calls that are deprecated or unusual, and the warnings and errors that three of each give in a fresh process.

``python -m tests.warned_calls torch`` (or ``minitorch``) prints them as JSON; ``python -m tests.warned_calls`` prints
what differs between the two.
"""

import importlib
import json
import subprocess
import sys
import warnings
from pathlib import Path

# the files of calls, in the order in which they run: some warnings are given once per process
AREAS = (
    "activations_and_losses",
    "layers",
    "optimizers",
    "old_functions",
    "tensors",
    "gradients_and_casts",
    "outputs",
    "storages_and_masks",
    "settings",
    "data",
    "functions",
    "distributions",
    "methods",
)
CALLS = [
    call
    for area in AREAS
    for call in Path(__file__).with_name(f"{area}.txt").read_text(encoding="utf-8").splitlines()
]


class _Cases:
    """The names that the calls use."""

    def __new__(cls, torch):
        import copy
        import io
        import math
        import pickle

        import numpy as np

        nn = torch.nn
        frozen = np.ones(2)
        frozen.setflags(write=False)
        leaf = torch.ones(3, requires_grad=True)

        def parameter():
            return nn.Parameter(torch.ones(2))

        def sgd():
            return torch.optim.SGD([parameter()], lr=0.1)

        def step_order(make, *arguments):
            optimizer = sgd()
            scheduler = make(optimizer)
            scheduler.step(*arguments)
            optimizer.step()
            scheduler.step(*arguments)

        def right_order(make, epoch=None):
            optimizer = sgd()
            scheduler = make(optimizer)
            optimizer.step()
            scheduler.step() if epoch is None else scheduler.step(epoch)

        def hooked(name):
            net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
            getattr(net, name)(lambda *a: None)
            net(torch.ones(1, 2)).sum().backward()
            net(torch.ones(1, 2, requires_grad=True)).sum().backward()

        def net_with_old_and_new_hooks():
            net = nn.Linear(2, 2)
            net.register_backward_hook(lambda *a: None)
            net.register_full_backward_hook(lambda *a: None)

        def deterministic(call):
            torch.use_deterministic_algorithms(True, warn_only=True)
            try:
                call()
            finally:
                torch.use_deterministic_algorithms(False)

        def saved(value):
            file = io.BytesIO()
            torch.save(value, file)
            file.seek(0)
            return file

        def assigned(tensor, index, value):
            tensor[index] = value

        class Short(torch.utils.data.IterableDataset):
            def __len__(self):
                return 1

            def __iter__(self):
                return iter([1, 2, 3])

        return {
            **{"T": torch, "F": nn.functional, "nn": nn, "np": np, "io": io, "copy": copy},
            **{"math": math, "pickle": pickle, "frozen": frozen, "leaf": leaf, "Short": Short},
            **{"x": torch.ones(3), "y": torch.full((3,), 2.0), "p": torch.full((3,), 0.5)},
            **{"image": torch.ones(1, 1, 2, 2), "square": torch.eye(2) * 2, "sign": torch.ones(3)},
            **{"logits": torch.ones(2, 3), "labels": torch.tensor([0, 1]), "wave": torch.ones(16)},
            **{"non_leaf": leaf * 2, "same_parameter": parameter(), "parameter": parameter},
            **{"sgd": sgd, "step_order": step_order, "right_order": right_order, "hooked": hooked},
            **{"net_with_old_and_new_hooks": net_with_old_and_new_hooks, "saved": saved},
            **{"deterministic": deterministic, "assigned": assigned},
        }


def told(library):
    """For each call, what each of three from different lines gives: warnings and an error, if any."""
    names = _Cases(importlib.import_module(library))
    result = {}
    for call in CALLS:
        runs = []
        for line in range(3):
            with warnings.catch_warnings(record=True) as given:
                warnings.simplefilter("always")
                error = None
                try:
                    eval(compile("\n" * line + call, "<call>", "eval"), names)
                except Exception as raised:  # noqa: BLE001 -- what it is, is compared
                    error = f"{type(raised).__name__}: {raised}"
            runs.append([[[w.category.__name__, _text(str(w.message))] for w in given], error])
        result[call] = runs
    return result


def _text(text):
    return text.split(" (Triggered internally")[0]


def in_fresh_process(library):
    """`told` by another process."""
    command = [sys.executable, "-m", "tests.warned_calls", library]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def differences():
    """``{call: (PyTorch's, ours)}`` of the calls that warn or fail differently."""
    theirs, ours = in_fresh_process("torch"), in_fresh_process("minitorch")
    return {call: (theirs[call], ours[call]) for call in theirs if theirs[call] != ours[call]}
