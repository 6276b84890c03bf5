"""Random networks, losses and optimizers under PyTorch and minitorch, statement by statement, until they differ.

``python -m tests.compat.random_modules --count 5000`` runs many; each that differs is shrunk and
printed as a script that runs with either library. ``--seed`` begins elsewhere.
"""

import argparse
import contextlib
import re
import sys
import time
import warnings

import numpy as np
import torch

import minitorch
from tests.compat.random_module_steps import PRELUDE, program
from tests.compat.random_programs import Difference, Parted

TOLERANCE = {"float32": 1e-4, "complex64": 1e-4}
LOOSE = 4e-2  # of programs that have numbers of 16 bits
# one node here, several there, or the other way round
OTHER_NODES = ("CircularPadBackward0", "ConvolutionBackward0", "MkldnnRnnLayerBackward0")
# attributes that PyTorch keeps beside what they are made of, or after a copy that has lost another
DERIVED = {"activation", "_flat_weight_refs", "_flat_weights", "_flat_weights_names"}
# where a program ends: more than one thing is wrong, and the libraries look in another order; PyTorch
# is wrong about itself; or it does not do what minitorch does
PARTING = (
    "Tensor on device",
    "mixed dtype",
    "ctc_loss_allocate",
    "should be the same",
    "does not support automatic differentiation",
    "is not implemented",
    "weight_norm_kernel",
    "lstm() received an invalid combination",
    "lstm expects two hidden states",
    "PixelShuffleBackward0 returned an invalid gradient",
    "ParameterDict cannot be used as a key",
    "uninitialized parameter",
    "not the same object",  # a class of ours has PyTorch's name, and PyTorch is loaded, too
)
_prelude = compile(PRELUDE, "<prelude>", "exec")


def outcome(code, scope):
    """(type and text of the exception or None, the warnings) of a statement."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(code, scope)
            error = None
        except Exception as raised:
            error = type(raised).__name__, plain(str(raised))
    given = [(w.category.__name__, plain(str(w.message))) for w in caught]
    # of each sparse tensor that is made on the way
    return error, [each for each in given if "Sparse invariant checks" not in each[1]]


def plain(text):
    """Without what is no behaviour: addresses, the library's name, places in PyTorch's sources, the order of sets."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text).replace("minitorch", "torch")
    for mark in ("\nException raised from", " (Triggered internally", "INTERNAL ASSERT FAILED"):
        text = text.split(mark)[0]
    text = text.split(" This could be because the operator doesn't exist")[0]
    return re.sub(r"\{('[^{}:]*)\}", lambda m: str(sorted(m[1].split(", "))), text).strip()


def text_of(value):
    try:
        return plain(repr(value))
    except Exception as error:  # a part of a container was replaced by something else
        return f"{type(error).__name__}: {plain(str(error))}"


def same(what, ours, theirs):
    if ours != theirs:
        raise Difference(f"{what}:\n  ours:   {ours}\n  theirs: {theirs}")


class Pair:
    """A program's variables in both libraries."""

    def __init__(self, texts):
        self.least = LOOSE if re.search("half|float16", "\n".join(texts)) else 1e-6
        self.scopes = []
        for library in (torch, minitorch):
            scope = {"torch": library, "__name__": "program"}
            exec(_prelude, scope)
            self.scopes.append(scope)

    def run(self, text):
        """Run a statement in both; PyTorch's exception or None, and whether the program goes on."""
        theirs, ours = self.scopes
        code = compile(text, "<program>", "exec")
        (error, their_warnings), (our_error, our_warnings) = (outcome(code, s) for s in self.scopes)
        errors = [each[1] for each in (error, our_error) if each]
        if any(mark in each for mark in PARTING for each in errors):
            return error, False
        same("raises", our_error, error)
        same("warns", our_warnings, their_warnings)
        if error and "step(" in text:
            return error, False  # how many parameters were changed before is left open
        for name in ("m", "x", "y", "p", "opt", "sched", "avg", "log"):
            same(f"there is {name}", name in ours, name in theirs)
            if name in theirs:
                self.check(name, ours[name], theirs[name])
        for scope in self.scopes:
            scope["log"].clear()
        made = re.match(r"(m|x|opt|sched) = ", text)
        return error, not (made and made[1] not in theirs)

    def check(self, what, ours, theirs):
        """Raise `Difference` unless two values are the same in all that can be seen of them."""
        if isinstance(theirs, torch.Tensor):
            self.check_tensors(what, ours, theirs)
        elif isinstance(theirs, torch.nn.Module):
            self.check_modules(what, ours, theirs)
        elif isinstance(theirs, torch.optim.Optimizer):
            groups = [[dict(g) for g in o.param_groups] for o in (ours, theirs)]
            self.check(f"{what}.param_groups", *groups)
            self.check(f"{what}.state", *(list(o.state.values()) for o in (ours, theirs)))
        elif isinstance(theirs, torch.optim.lr_scheduler.LRScheduler):
            self.check(f"{what}.state_dict()", ours.state_dict(), theirs.state_dict())
        elif isinstance(theirs, dict) and isinstance(ours, dict):
            same(f"keys of {what}", *([plain(str(k)) for k in d] for d in (ours, theirs)))
            for k in theirs:
                self.check(f"{what}[{k!r}]", ours[k], theirs[k])
        elif isinstance(theirs, list | tuple) and isinstance(ours, list | tuple):
            same(f"type of {what}", type(ours).__name__, type(theirs).__name__)
            same(f"length of {what}", len(ours), len(theirs))
            for k, pair in enumerate(zip(ours, theirs, strict=True)):
                self.check(f"{what}[{k}]", *pair)
        elif isinstance(theirs, float) and isinstance(ours, float):
            if not np.isclose(ours, theirs, max(1e-5, self.least), 1e-8, equal_nan=True):
                raise Difference(f"{what}: {ours}, not {theirs}")
        else:
            same(what, text_of(ours), text_of(theirs))

    def check_tensors(self, what, ours, theirs):
        both = ours, theirs
        if not isinstance(ours, minitorch.Tensor):
            raise Difference(f"{what}: {type(ours)}, not a tensor")
        for attribute in ("dtype", "layout", "device", "requires_grad", "is_leaf"):
            same(f"{what}.{attribute}", *(str(getattr(t, attribute)) for t in both))
        same(f"type of {what}", *(type(t).__name__ for t in both))
        if isinstance(theirs, torch.nn.parameter.UninitializedTensorMixin):
            return
        same(f"{what}.shape", *(tuple(t.shape) for t in both))
        names = [t.grad_fn and t.grad_fn.name() for t in both]
        if not (set(names) & set(OTHER_NODES) or "NotImplemented" in (names[1] or "")):
            same(f"{what}.grad_fn", *names)
        if theirs.layout is torch.sparse_coo:
            parts = [t.detach().coalesce() for t in both]
            self.check(f"{what}.indices()", *(t.indices() for t in parts))
            self.check(f"{what}.values()", *(t.values() for t in parts))
        elif theirs.device.type == "cpu":
            if theirs.numel():
                strides = (
                    [s for s, n in zip(t.stride(), t.shape, strict=True) if n != 1] for t in both
                )
                same(f"{what}.stride()", *strides)
            self.check_values(what, ours, theirs)
        if theirs.is_leaf or theirs.retains_grad:
            self.check(f"{what}.grad", ours.grad, theirs.grad)

    def check_values(self, what, ours, theirs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a, b = (_array(t.detach()) for t in (ours, theirs))
        if np.array_equal(a, b, equal_nan=b.dtype.kind in "fc"):
            return
        exact = b.dtype.kind not in "fc"
        tolerance = 0 if exact else max(self.least, TOLERANCE.get(b.dtype.name, 0))
        finite = np.abs(b[np.isfinite(b)])
        absolute = tolerance * max(1.0, float(finite.max())) if finite.size else tolerance
        if not np.allclose(a, b, tolerance, absolute, equal_nan=True):
            if what.endswith("_mask']") or absolute > 1:
                raise Parted  # which of equal elements are the smallest; or a training that explodes
            raise Difference(f"{what} has other values: {a.tolist()}, not {b.tolist()}"[:600])

    def check_modules(self, what, ours, theirs):
        both = ours, theirs
        same(f"repr of {what}", *map(text_of, both))
        kinds = ([(n, type(a).__name__, a.training) for n, a in m.named_modules()] for m in both)
        same(f"modules of {what}", *kinds)
        parts = (m.named_modules() for m in both)
        for (name, a), (_, b) in zip(*parts, strict=True):
            place = f"{what}.{name}" if name else what
            self.check(f"{place}._parameters", dict(a._parameters), dict(b._parameters))
            self.check(f"{place}._buffers", dict(a._buffers), dict(b._buffers))
            same(f"attributes of {place}", *(sorted(set(vars(m)) - DERIVED) for m in (a, b)))


def _array(t):
    if t.is_floating_point() and t.element_size() < 4:
        t = t.float()  # NumPy does not know all of them
    return t.clone().resolve_conj().numpy()


# ---- programs


@contextlib.contextmanager
def alone():
    """Warnings are given each time, and no hook for all modules is left to the next program."""
    libraries = torch, minitorch
    for library in libraries:
        library.set_warn_always(True)
    try:
        yield
    finally:
        for library in libraries:
            library.set_warn_always(False)
            for name, value in vars(library.nn.modules.module).items():
                if name.startswith("_global_") and isinstance(value, dict):
                    value.clear()


@alone()
def run(texts):
    """Run the statements; the `Difference`, or None, and what PyTorch raised in each."""
    pair, errors = Pair(texts), []
    for text in texts:
        try:
            error, goes_on = pair.run(text)
        except Difference as difference:
            return difference, errors
        except Parted:
            break
        errors.append(error)
        if not goes_on:
            break
    return None, errors


def kind(difference):
    """What differs, without numbers and names."""
    return re.sub(r"[\d'\"]+", "", str(difference))[:160]


def shrunk(texts, difference):
    """The statements without those that the difference does not need."""
    for k in reversed(range(len(texts))):
        shorter = texts[:k] + texts[k + 1 :]
        found, _ = run(shorter)
        if found is not None and kind(found) == kind(difference):
            texts, difference = shorter, found
    return texts, difference


def script(texts, difference):
    """A program that either library runs by itself."""
    lines = []
    errors = run(texts)[1]
    for text, error in zip(texts, errors + [None] * (len(texts) - len(errors)), strict=True):
        if error:
            indented = text.replace("\n", "\n    ")
            lines += ["try:", f"    {indented}"]
            lines += [f"except Exception as error:  # {error[0]}", "    print(error)"]
        else:
            lines.append(text)
    return "\n".join([*lines, *(f"# {line}" for line in str(difference).splitlines())])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=20, help="stop after so many kinds that differ")
    options = parser.parse_args()
    np.seterr(all="ignore")
    print(f"import torch  # or: import minitorch as torch\n{PRELUDE}")
    found, seen, started = 0, set(), time.time()
    for seed in range(options.seed, options.seed + options.count):
        texts = program(seed)
        difference, _ = run(texts)
        if difference is None:
            continue
        found += 1
        if kind(difference) in seen:
            continue
        seen.add(kind(difference))
        print(f"\n# ---- seed {seed}\n{script(*shrunk(texts, difference))}", flush=True)
        if len(seen) >= options.most:
            break
    print(f"\n# {seed - options.seed + 1} programs, {found} differ, {time.time() - started:.0f} s")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
