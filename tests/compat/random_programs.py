"""Random programs run under PyTorch and minitorch, step by step, until they differ.

``python -m tests.compat.random_programs --count 20000`` runs many; each that differs is shrunk and
printed as a script. ``--seed`` begins elsewhere, ``--file`` compares the statements of a file. With ``--logged
dispatch`` and its like, what a mode or a class is told must be the same, too (`logged_programs`).
"""

import argparse
import random
import re
import sys
import time
import traceback
import warnings
from functools import partial

import numpy as np
import torch

import minitorch
from tests.compat.random_steps import PRELUDE, Choices, statement

NUMBERS = 9  # that a statement is made of
TOLERANCE = {"torch.float32": 1e-3, "torch.complex64": 1e-3, "torch.float16": 5e-2}
ATTRIBUTES = "dtype requires_grad is_leaf output_nr retains_grad".split()


class Difference(Exception):
    """What the two libraries do differently in the last statement of a program."""


class Parted(Exception):
    """The libraries go different ways on purpose, and the program ends."""


# minitorch looks before it writes, PyTorch after: an inference tensor that must not be written to, a
# source that is too short; and what PyTorch says when it is wrong about its own memory
PARTING = ("Inplace update to inference tensor", "Number of elements of source <", "setStorage:")
PARTING += (
    "ZeroTensors are immutable",
    "Cannot set version_counter for inference tensor",
    "Autograd not support dtype",
    "old_fn",
    "new_fn",
    "out != nullptr",
)
# more than one thing is wrong, and the libraries look in another order
# which dtypes an operator takes is compared elsewhere; not every operator of ours looks whether its
# operands overlap; nor do those that save a tensor for a view without a history
ALONE = ("not implemented for", "single memory location", "Inference tensors cannot be saved")
PRODUCT = re.compile(r"@|einsum|linear|inner|tensordot|dot\(|mm\(|mv\(|matmul|outer")
ORDER = (
    "not implemented for",
    "single memory location",
    "ZeroDivisionError",
    "its base or another view of its base has been",
    "Inference tensors cannot be saved",
    "batch2 tensor",
    "to match target batch_size",  # PyTorch reads it of a target that has no dimensions
    "mixed dtype",
    "doesn't match the broadcast shape",
)


class Pair:
    """The variables of a program in both libraries."""

    def __init__(self):
        self.scopes = [{"torch": library} for library in (torch, minitorch)]
        for scope in self.scopes:
            exec(_prelude, scope)
        self.own = set(self.scopes[0])
        self.logged = 0
        self.counts = {}
        self.parts_in_backward = False

    def variables(self):
        return {
            name: value
            for name, value in self.scopes[0].items()
            if name not in self.own and name.startswith("x")
        }

    def run(self, text):
        """Run a statement in both; raise `Difference`. PyTorch's exception, or None."""
        code = compile(text, "<program>", "exec")
        if _is_expanded_median(text, self.variables()):
            raise Parted
        if "create_graph=True" in text and any(map(_is_stale, self.variables().values())):
            raise Parted
        before = self.operands(text)
        # sgn's gradient in PyTorch is a ZeroTensor, 0 times whatever follows; ours are zeros, and 0 times inf
        # is nan. The loops of some derivatives disagree about nan: 0 in vectors, the gradient in the rest.
        self.parts_in_backward = self.parts_in_backward or bool(
            re.search(r"\bsgn_?\(", text)
            or re.search(r"\b(relu6|hardtanh|hardswish|hardshrink|softshrink|[cs]?elu)_?\(", text)
            and any(pair[1].isnan().any() for pair in before.values())
        )
        errors = [self.execute(code, scope) for scope in self.scopes]
        texts = [error[1] for error in errors if error is not None]
        if ("register_hook" in text or "retain_grad" in text) and any(
            "its base or another view" in t for t in texts
        ):
            raise Parted  # PyTorch does not look at the history again
        if any(
            text.startswith(PARTING) or "ComplexHalf" in text or "complex32" in text
            for text in texts
        ):
            raise Parted
        if "[-1]" in text and texts and texts[0] == "select() cannot be applied to a 0-dim tensor.":
            raise Parted  # it has read the size of a dimension that is not there
        if len(texts) == 1 and any(word in texts[0] for word in ALONE):
            raise Parted
        another_order = len(texts) == 2 and (
            any(word in each for each in texts for word in ORDER)
            # of a product's dtypes: which of its forms is called depends on what requires gradients
            or (PRODUCT.search(text) and all("dtype" in e or "scalar type" in e for e in texts))
        )
        if errors[0] != errors[1] and not another_order:
            raise Difference(f"raises\n  theirs: {errors[0]}\n  ours:   {errors[1]}")
        for scope in self.scopes:
            for name in [n for n, v in scope.items() if n[0] == "x" and _foreign(v)]:
                del scope[name]
        self.part()
        try:
            self.compare()
        except Difference:
            if _reads_what_it_writes(text, self.variables()):
                raise Parted from None
            if self.parts_in_backward and ("grad" in text or "backward" in text):
                raise Parted from None
            if self.is_ill_conditioned(text, before) or self.is_infinite_product(text):
                raise Parted from None
            if "linalg." in text and any(not pair[1].isfinite().all() for pair in before.values()):
                raise Parted from None  # which row is the pivot beside a nan: each LAPACK has its own
            if re.search(r"gelu\(|sgn_?\(", text) and any(
                _is_infinite(pair[1]) for pair in before.values()
            ):
                # PyTorch's loops disagree: of gelu, oneDNN's (nan) with its own (inf); of sgn, that for
                # vectors (a part that is nan) with that for the rest (both)
                raise Parted from None
            raise
        if self.is_zero_in_one(text):
            raise Parted
        return errors[0]

    def execute(self, code, scope):
        return _error(code, scope)

    def operands(self, text):
        """What stands in the variables of a statement: pairs of our value and PyTorch's."""
        theirs, ours = self.variables(), self.scopes[1]
        return {
            name: (_as_theirs(_plain(ours[name])), _plain(theirs[name]).detach().clone())
            for name in _names(text)
            if name in theirs and name in ours
        }

    def is_ill_conditioned(self, text, operands):
        """Whether PyTorch gives our new value, too, when its operands are ours to the last bit."""
        core = text.rpartition(": ")[2]
        changed = WRITTEN.match(core)
        if not changed or "grad" in core or changed[1] not in self.variables():
            return False
        if all(_same_bits(a, b) for a, b in operands.values()):
            return False
        scope = {**self.scopes[0], **{name: pair[0] for name, pair in operands.items()}}
        if _error(compile(core, "<program>", "exec"), scope):
            return False
        try:
            compare_values(changed[1], self.scopes[1][changed[1]], scope[changed[1]])
        except Difference:
            return False
        return True

    def is_zero_in_one(self, text):
        """Whether a rounding is 0 in one library alone: what is divided by it later differs without bound."""
        changed = WRITTEN.match(text.rpartition(": ")[2])
        if not changed or changed[1] not in self.variables():
            return False
        ours, theirs = (_plain(scope[changed[1]]) for scope in reversed(self.scopes))
        ours, theirs = ours.numpy(force=True), theirs.numpy(force=True)
        return bool(((ours == 0) != (theirs == 0)).any())

    def is_infinite_product(self, text):
        """Whether complex products of matrices differ where they are infinite: each BLAS sums in an order of its own."""
        changed = WRITTEN.match(text.rpartition(": ")[2])
        if not changed or not PRODUCT.search(text) or changed[1] not in self.variables():
            return False
        ours, theirs = (_plain(scope[changed[1]]) for scope in reversed(self.scopes))
        if not theirs.is_complex():
            return False
        ours, theirs = ours.numpy(force=True), theirs.numpy(force=True)
        finite = np.isfinite(theirs)
        return bool(
            (np.isfinite(ours) == finite).all() and np.allclose(ours[finite], theirs[finite])
        )

    def part(self):
        """Forget variables that are views of PyTorch's own making, such as an expanded gradient."""
        theirs, ours = self.scopes
        for name, value in self.variables().items():
            if name not in ours:
                raise Difference(f"{name} is no tensor")
            if value.dtype == torch.complex32:
                raise Parted  # NumPy, by which values are compared, has no such type
            if value._is_view() != ours[name]._is_view() and _base(value, theirs) is None:
                del theirs[name], ours[name]
            elif value.requires_grad and not value.dtype.is_floating_point | value.is_complex():
                raise Parted  # a write to a view has given integers a history

    def compare(self):
        theirs, ours = self.scopes
        for name, value in self.variables().items():
            compare(name, ours.get(name), value)
            self.compare_versions(name, ours[name], value)
            bases = _base(ours[name], ours), _base(value, theirs)
            if None not in bases:
                _same(f"{name}._base", *bases)
            if _seen(value, "is_leaf") == "True" or value.retains_grad:
                compare(f"{name}.grad", ours[name].grad, value.grad)
        logs = theirs["log"], ours["log"]
        if len(logs[0]) != len(logs[1]):
            raise Difference(f"{len(logs[1])} notes of hooks, not {len(logs[0])}")
        for k in range(self.logged, len(logs[0])):
            compare_notes(f"note {k}", logs[1][k], logs[0][k])
        self.logged = len(logs[0])

    def compare_versions(self, name, ours, theirs):
        """That both have risen by the same since they were made, where a library writes, too."""
        if theirs.is_inference() or ours.is_inference():
            return
        first = self.counts.get(name)
        if first is None or first[0] is not ours or first[1] is not theirs:
            self.counts[name] = ours, theirs, ours._version, theirs._version
        else:
            _same(f"writes to {name}", ours._version - first[2], theirs._version - first[3])


def _base(t, scope):
    """The variable that a tensor is a view of; others are the libraries' own."""
    base = t._base
    return next((name for name, value in scope.items() if value is base is not None), None)


_prelude = compile(PRELUDE, "<prelude>", "exec")


def _plain(t):
    """What a tensor of a wrapping class wraps."""
    return getattr(t, "elem", t)


def _foreign(value):
    return not isinstance(value, torch.Tensor | minitorch.Tensor)


# the variable that a statement makes or writes to
WRITTEN = re.compile(r"(x\d+)(?: = |(?:\.data)?\.\w+_\(|\[|\W{1,2}=)")


def _names(text):
    return set(re.findall(r"\bx\d+\b", text))


def _as_theirs(t):
    """The values of a tensor of ours as one of PyTorch's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.from_numpy(t.detach().clone().numpy())


def _same_bits(a, b):
    """Also the signs of zeros, and of what is not a number."""
    a, b = (t.resolve_conj().contiguous().numpy() for t in (a, b))
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def _addresses(t):
    places = np.array([t.data_ptr()])
    for size, stride in zip(t.shape, t.stride(), strict=True):
        places = np.add.outer(places, np.arange(size) * (stride * t.element_size())).ravel()
    return places.tolist()


def _is_infinite(t):
    return bool(t.isinf().any())


def _reads_what_it_writes(text, variables):
    """An operator in place on elements that share memory, or whose operands are partly its result.

    What comes of it depends on the order in which elements are taken. A matrix product needs all of
    them until the end.
    """
    core = text.rpartition(": ")[2]
    changed = re.search(r"Doubled\.apply\((x\d+)\)", core) or WRITTEN.match(core)
    if not changed or changed[0].endswith(" = ") or changed[1] not in variables:
        return False
    own = _addresses(variables[changed[1]])
    if len(set(own)) < len(own):
        return True
    for name in _names(core) & set(variables):
        places = _addresses(variables[name])
        if set(places) & set(own) and (places != own or ".addmm_" in core):
            return True
    return False


def _is_expanded_median(text, variables):
    """PyTorch takes neighbours in memory, or what is beyond, for the elements of an expanded dimension."""
    found = re.search(r"\b(x\d+)\.(?:nan)?median\(", text)
    x = variables.get(found[1]) if found else None
    return x is not None and any(s == 0 and n > 1 for s, n in zip(x.stride(), x.shape, strict=True))


def _is_stale(t):
    """A view that requires grad as its base does, and has no history since none was recorded."""
    try:
        return t._is_view() and t.is_leaf and t.requires_grad and t._base.requires_grad
    except RuntimeError:
        return True


def _error(code, scope):
    try:
        exec(code, scope)
    except Exception as error:
        return type(error).__name__, _text(str(error))
    return None


def _text(text):
    # where in PyTorch's sources something stands is not behaviour
    for mark in ("\nException raised from", " (Triggered internally", "INTERNAL ASSERT FAILED"):
        text = text.split(mark)[0]
    # a stale view, and what a Function has saved, is named after the node that it had or will have
    text = re.sub(r", which is output \d of [\w:]+,", "", text)
    # ours is the shape that it was saved with, PyTorch's the one that t_() and the like gave it since
    text = re.sub(r"(?<=inplace operation: )(\[[\w.]+) \[[\d, ]*\]", r"\1", text)
    # versions count from what a library has written itself: see `Pair.compare_versions`
    text = re.sub(r"is at version (\d+); expected version (\d+)", _risen, text)
    return text.strip().replace("t_() expects", "t() expects")


def _risen(found):
    return f"is {int(found[1]) - int(found[2])} versions after the expected one"


def compare(name, ours, theirs):
    """Raise `Difference` unless everything that can be seen of a tensor is the same."""
    if theirs is None or ours is None:
        if ours is not theirs:
            raise Difference(f"{name}: {_short(ours)}, not {_short(theirs)}")
        return
    for attribute in ATTRIBUTES:
        _same(f"{name}.{attribute}", *(_seen(t, attribute) for t in (ours, theirs)))
    _same(f"{name}.shape", tuple(ours.shape), tuple(theirs.shape))
    if theirs.numel():
        sizes = tuple(theirs.shape)
        _same(f"{name}.stride()", *(_strides(t.stride(), sizes) for t in (ours, theirs)))
        _same(f"{name}.storage_offset()", ours.storage_offset(), theirs.storage_offset())
    functions = [_seen(t, "grad_fn") for t in (ours, theirs)]
    names = [f if isinstance(f, str) else f.name() for f in functions]
    if names[1].endswith("NotImplemented"):
        raise Parted  # a derivative that PyTorch has not
    _same(f"{name}.grad_fn", *names)
    if hasattr(theirs, "elem") and ours.is_inference() != theirs.is_inference():
        raise Parted  # a mark of the tensor there, here of the memory that it shares with what it was made of
    _same(f"{name}.is_inference()", ours.is_inference(), theirs.is_inference())
    compare_values(name, ours, theirs)


def _strides(strides, sizes):
    # a dimension of size 1 has whatever stride its maker left
    return [s for s, n in zip(strides, sizes, strict=True) if n != 1]


def _same(what, ours, theirs):
    if ours != theirs:
        raise Difference(f"{what}: {ours}, not {theirs}")


def _seen(t, attribute):
    try:
        value = getattr(t, attribute)
    except RuntimeError as error:
        if str(error).startswith(PARTING):
            raise Parted from None
        return _text(str(error))
    return value if attribute == "grad_fn" and value is not None else str(value)


def compare_values(name, ours, theirs):
    # of copies: memory that NumPy has seen cannot be resized any more
    ours, theirs = _plain(ours), _plain(theirs)
    a, b = ours.detach().clone().numpy(), theirs.detach().clone().resolve_conj().numpy(force=True)
    if a.shape != b.shape or a.dtype != b.dtype:
        raise Difference(f"{name}: {a.dtype} {a.shape}, not {b.dtype} {b.shape}")
    if np.array_equal(a, b):
        return
    if b.dtype.kind == "c":  # an infinite part is no reason not to look at the other
        a, b = (np.stack([x.real, x.imag]) for x in (a, b))
    tolerance = TOLERANCE.get(str(theirs.dtype), 1e-5)
    finite = np.abs(b[np.isfinite(b)])
    absolute = tolerance * max(1.0, float(finite.max())) if finite.size else tolerance
    if not np.allclose(a, b, tolerance, absolute, equal_nan=True):
        raise Difference(f"{name}: {_short(ours)}, not {_short(theirs)}")


def compare_notes(name, ours, theirs):
    if isinstance(theirs, tuple | list):
        _same(f"{name}: length", len(ours), len(theirs))
        for a, b in zip(ours, theirs, strict=True):
            compare_notes(name, a, b)
    elif isinstance(theirs, torch.Tensor) and isinstance(ours, minitorch.Tensor):
        _same(f"{name}: shape", tuple(ours.shape), tuple(theirs.shape))
        compare_values(name, ours, theirs)
    else:
        _same(name, ours, theirs)


def _short(t):
    # of a copy, since a ZeroTensor of PyTorch has no elements to list
    return "None" if t is None else f"{_plain(t).detach().clone().tolist()} {t.dtype}"[:300]


# ---- programs


def run(texts, make=Pair):
    """Run the statements of a program; the `Difference`, or None."""
    pair = make()
    for text in texts:
        try:
            pair.run(text)
        except Difference as difference:
            return difference
        except Parted:
            break
    return None


def generate(rows, make=Pair):
    """Make a program of rows of numbers and run it; ``(statements, Difference or None)``."""
    pair, texts = make(), []
    for counter, row in enumerate(rows):
        text = statement(Choices(row), pair.variables(), counter)
        texts.append(text)
        try:
            pair.run(text)
        except Difference as difference:
            return texts, difference
        except Parted:
            break
    return texts, None


def shrunk(texts, make=Pair, budget=400):
    """The statements without those that the difference does not need."""
    size = max(1, len(texts) // 2)
    while size:
        start = 0
        while start < len(texts) and budget:
            shorter = texts[:start] + texts[start + size :]
            budget -= 1
            if shorter and run(shorter, make) is not None:
                texts = shorter
            else:
                start += size
        size //= 2
    return texts


def script(texts, difference, make=Pair):
    """A program that either library runs by itself."""
    pair, lines = make(), ["import torch  # or: import minitorch as torch"]
    if any(
        word in text for text in texts for word in ("note", "log.", "Cube", "Doubled", "Both", "F.")
    ):
        lines.append(PRELUDE)
    for text in texts:
        try:
            error = pair.run(text)
        except Difference:
            error = None
        if error is None:
            lines.append(text)
        else:
            lines += [
                "try:",
                f"    {text}",
                f"except Exception as error:  # {error[0]}",
                "    pass",
            ]
    return "\n".join([*lines, *(f"# {line}" for line in str(difference).splitlines())])


def random_rows(seed):
    rng = random.Random(seed)
    return [[rng.randrange(1 << 16) for _ in range(NUMBERS)] for _ in range(rng.randint(5, 30))]


def main():
    from tests.compat.logged_programs import WAYS, LoggedPair

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=20, help="stop after so many that differ")
    parser.add_argument("--logged", choices=WAYS, help="compare what is asked as well")
    parser.add_argument("--file", help="statements to compare, one in a line")
    options = parser.parse_args()
    make = partial(LoggedPair, options.logged) if options.logged else Pair
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    if options.file:
        with open(options.file, encoding="utf-8") as file:
            print(run([line for line in file.read().splitlines() if line.strip()], make))
        return
    found, started, seen = 0, time.time(), set()
    for seed in range(options.seed, options.seed + options.count):
        try:
            texts, difference = generate(random_rows(seed), make)
        except Exception:
            traceback.print_exc()
            texts, difference = [], "the comparison failed"
        if difference is not None:
            texts = shrunk(texts, make)
            difference = (texts and run(texts, make)) or difference
            mark = str(difference)[:60]
            found += 1
            if mark not in seen:
                print(f"\n# ---- seed {seed}\n{script(texts, difference, make)}", flush=True)
            seen.add(mark)
            if len(seen) >= options.most:
                break
    print(f"\n{seed - options.seed + 1} programs, {found} differ, {time.time() - started:.0f} s")
    sys.exit(found > 0)


if __name__ == "__main__":
    from tests.compat import random_programs  # whose classes `logged_programs` knows

    random_programs.main()
