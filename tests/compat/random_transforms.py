"""Random functions inside random transforms, under PyTorch and minitorch.

``python -m tests.compat.random_transforms --count 5000`` runs many programs; each that differs is shrunk
and printed as a script that either library runs. ``--seed`` begins elsewhere.
"""

import argparse
import ast
import dataclasses
import multiprocessing
import re
import resource
import signal
import sys
import time
import warnings

import numpy as np
import torch

import minitorch
from minitorch.autograd.levels import current_levels
from tests.compat.random_functions import Layer, program, scope_of
from tests.compat.random_wrappers import PRELUDE

TOLERANCE = {"torch.float32": 1e-3, "torch.complex64": 1e-3}
TENSORS = (torch.Tensor, minitorch.Tensor)


class Difference(Exception):
    """The two libraries differ. `values` are our number and PyTorch's, if these are what differs."""

    def __init__(self, text, values=None):
        super().__init__(text)
        self.values = values


def outcome(text, library, nudge=0):
    """The variables after a program, its error, and its warnings; `nudge` is for `_nudged`."""
    scope = scope_of(library)
    if nudge:
        scope["sample"] = _nudged(scope["sample"], nudge)
    error = None
    _where.value = library is torch
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            exec(compile(text, "<program>", "exec"), scope)
        except Exception as raised:
            error = type(raised).__name__, plain(str(raised))
    if library is torch:
        _restore()
    texts = [(w.category.__name__, plain(str(w.message))) for w in caught]
    return scope, error, texts


def _restore():
    """PyTorch stays in levels, or without tangents, after some errors inside its transforms."""
    while torch._C._functorch.peek_interpreter_stack() is not None:
        torch._C._functorch.pop_dynamic_layer_stack_and_undo_to_depth(0)
    while torch.autograd.forward_ad._current_level >= 0:
        torch.autograd.forward_ad.exit_dual_level()
    torch._C._set_fwd_grad_enabled(True)
    torch.set_grad_enabled(True)


def _state():
    """What a program under minitorch must leave as it was."""
    level = minitorch.autograd.forward_ad._current_level
    modes = minitorch.is_grad_enabled(), minitorch._C._is_fwd_grad_enabled()
    return current_levels(), level, *modes


def plain(text):
    """Without what is no behaviour: where in PyTorch's sources something stands, addresses."""
    for mark in ("\nException raised from", " (Triggered internally"):
        text = text.split(mark)[0]
    text = text.replace("minitorch", "torch")
    # each LAPACK has a number of its own for what it cannot do
    text = re.sub(r"(failed to converge .*error code: )\d+", r"\1", text)
    return re.sub(r"0x[0-9a-f]+", "0x", text).strip()


# what PyTorch says when it is wrong about its own insides, has read a size that is not there, has no
# rule or derivative, or when its formulas write to what others have saved. The dimension that is said to be out
# of range is the last one of a sample without dimensions, which `squeeze` takes elsewhere
PARTING = re.compile(
    "INTERNAL ASSERT FAILED|aten::_index_put_impl_\\(self|Dimension is out of range \\(expected|setStorage:|[Pp]lease report|ZeroTensors are immutable|[0-9]{10}|modified by an inplace"
    "|aten::_make_dual|aten::_unpack_dual|glu_jvp|glu_backward_jvp|self_bdim|tracing tensor|non-ATen|desired output"
    "|InferenceMode::is_enabled|different size than that of the original|Nested forward mode"
    "|view_as_real doesn't|Can't detach views|Cannot ask for different inplace randomness"
    "|does not currently support same randomness|inplace arithmetic|masked_scatter_\\(self"
    "|tensor may have escaped|Cannot set version_counter|Dimension specified as 0 but"
    "|has_fw_view|flat_bdims must not be None|\\(1\\) calling .item|'cotangents'|leaf Variable"
    "|unless the batch dims being vmapped|aten::alias; the fallback"
)
# given once in a process, or of the compiler that PyTorch's forward mode starts
QUIET = re.compile(
    "`torch.jit.script`|Attempted to insert a get_attr|create_graph=True will create|ComplexHalf"
    "|Casting complex values|The use of `x.T`|Tensor.T is|TypedStorage is deprecated|is in beta"
    "|An output with one or more|only appear once per program|adjoint\\(\\) is deprecated|Tensor.mT is"
    "|Converting a tensor with requires_grad=True to a scalar"
)


# whose later derivatives are wrong there: what is saved of a batch's statistics is a constant, and some are
# zeros; ours agree with differences of values. slogdet is of matrices that have none. In a batch the source of
# select_scatter has the gradient of all of the dimension, and prelu the signs of one sample. The tangents of
# linalg.solve and linalg.det have wrong gradients, and the tangent of a complex power with respect to a real
# exponent lacks its imaginary part. What a Function saves for its tangent is a constant for a second one, and
# linearize draws random numbers anew for the tangents
ALONE = re.compile(
    "(batch|instance|layer|group)_norm|cdist|slogdet|(select_scatter|prelu)(?=[\\s\\S]*(vmap|jac|hess))"
    "|linalg\\.(solve|det)\\((?=[\\s\\S]*(pushed|dual|jacfwd|hessian|forward-mode))"
    "|(Cube|Batched)\\.apply\\((?=([\\s\\S]*(pushed|dual|jacfwd|hessian|forward-mode)){2})"
    "|(randn?|rand_like|dropout|bernoulli)\\((?=[\\s\\S]*linearize)"
    "|(complex|polar)(?=[\\s\\S]*pow\\([\\s\\S]*(pushed|dual|jacfwd|hessian|forward-mode))"
)
# tangents that are computed of what has been written already: of an operator in place with the tensor itself
ITSELF = re.compile(r"\b(\w+)(?:\.\w+_\(|[*/]=)\1\b")
# whose derivatives at nan are 0 in PyTorch's loops for vectors, and the gradient in the others
LOOPS = re.compile(r"\b(relu6|hardtanh|hardswish|hardsigmoid|hardshrink|softshrink|[cs]?elu)_?\(")
# that divide by the last pivot, which is 0 or a rounding error for a matrix that is not invertible
PIVOT = re.compile(r"linalg\.lu(_factor)?\(")
# whose third derivative divides by differences of an eigenvalue and itself
EIGH = re.compile(r"linalg\.eigh\(")
# the tangent of a float32 number plus or times a number of Python is float64
OTHER_DTYPE = re.compile(r"dtype: 'torch\.float32', not 'torch\.float64'$")
# linearize changes the shape of its argument once more, and vmap pairs matrices and right-hand sides of solve by rank
RESHAPED = re.compile(r"(squeeze|transpose)_\([\s\S]*linearize|linalg\.solve\([\s\S]*vmap")
# a Jacobian by forward mode, or by the older vmap: inside another transform, PyTorch records nothing of it for
# gradients outside of both
UNRECORDED = re.compile(r"(strategy='forward-mode'|vectorize=True)[\s\S]*\nf = ")
# what PyTorch's own formulas meet, by what calls them: a zero that rounding makes of a determinant that has none
# or not, a bound without dimensions beside a mask for the other, a value with samples written to a tangent without
OWN = (
    (re.compile("slogdet"), re.compile("solver failed because the input matrix is singular")),
    (
        re.compile("clamp\\(min="),
        re.compile("output with shape .* doesn't match the broadcast shape"),
    ),
    (
        re.compile("(max_pool1d|block_diag)\\([\\s\\S]*forward-mode"),
        re.compile("Batching rule not implemented for aten::(block_diag|flatten.using_ints)"),
    ),
    # the older vmap looks for the dimension of a number behind the batch
    (
        re.compile("\\.squeeze\\((0|-1)\\)[\\s\\S]*(vectorize=True|batched_grads)"),
        re.compile("Dimension out of range \\(expected to be in range of \\[-1, 0\\], but got 1"),
    ),
    # a weight without the batch of the Jacobian's rows
    (
        re.compile("F\\.prelu\\([\\s\\S]*jac[\\s\\S]*vmap"),
        re.compile(
            "The size of tensor a .* must match the size of tensor b|split_with_sizes expects"
        ),
    ),
    # samples that share memory
    (
        re.compile("laid\\([\\s\\S]*vmap"),
        re.compile("more than one element of the written-to tensor refers to a single memory"),
    ),
    (
        re.compile("linalg\\.solve\\([\\s\\S]*vmap"),
        re.compile("The size of tensor a .* must match the size of tensor b"),
    ),
    # in the derivative of a complex decomposition
    (re.compile("linalg.svd\\("), re.compile("vmap over torch.allclose isn't supported yet")),
    (
        re.compile("nan(sum|mean)\\([\\s\\S]*forward-mode"),
        re.compile("allocate memory to change Tensor"),
    ),
    (re.compile("inference_mode"), re.compile("Inference tensors cannot be saved")),
    (re.compile("\\[0,0\\]=[\\s\\S]*(jacfwd|hessian)"), re.compile("vmap: fill_\\(self")),
)


# what PyTorch does wrong, or as its roundings are, and how a program is written that does not meet it
OTHERWISE = (
    # it raises if the last pivot is exactly 0
    (re.compile("linalg.lu_factor\\("), "linalg.lu_factor_ex("),
    # the median of an expanded dimension is read beyond the end of the memory
    (re.compile(r"\b(\w+)\.(nan)?median\("), r"\1.contiguous().\2median("),
    # in a batch of samples without dimensions, roll mixes the samples
    (re.compile(r"\b(\w+)\.roll\(1\)"), r"(torch.roll(\1, 1) if \1.dim() else \1.clone())"),
    # a matrix product is written to its own operands while it is computed
    (re.compile(r"\b(\w+)\.addmm_\(\1,\s*\1\)"), r"\1.addmm_(\1.clone(),\1.clone())"),
    # of complex numbers, the sign of a zero is changed by the loop for single numbers, not by the one for vectors
    (re.compile(r"torch\.neg\((\w+)\)|(?<== )-(\w+)$"), r"(0-\1\2)"),
)


def run(program):
    """The `Difference` of a program, or None."""
    difference = difference_of(program)
    if difference is None:
        return None
    text = program.text()
    if category(difference) == "value" and is_wrong_there(text, difference):
        return None
    if category(difference) == "warns" and warns_there(text, str(difference)):
        return None
    body = program.body
    for pattern, replacement in OTHERWISE:
        body = [pattern.sub(replacement, line) for line in body]
    if body != program.body:
        return difference if run(dataclasses.replace(program, body=body)) else None
    if not any("out_dims" in layer.text for layer in program.layers):
        return difference
    # PyTorch reads beyond the sizes of a result that is the same for all samples
    return difference if run(without_out_dims(program)) else None


def is_wrong_there(text, difference):
    """Return whether PyTorch's values are known to be wrong, or depend on rounding."""
    if UNRECORDED.search(text) and str(difference).endswith("requires_grad: 'True', not 'False'"):
        return True
    if OTHER_DTYPE.search(str(difference)) and FORWARD.search(text) and "float32" in text:
        return True
    if RESHAPED.search(text) and ".shape: " in str(difference):
        return True
    if difference.values is None:
        return False
    if EIGH.search(text) and is_nan_there(difference):
        return True
    if ALONE.search(text) or (FORWARD.search(text) and ITSELF.search(text)):
        return True
    if (LOOPS.search(text) or PIVOT.search(text)) and is_nan_here(difference):
        return True
    if LOOPS.search(text) and is_zero_there(difference):
        return True
    return is_rounding(text)


def differing(difference):
    """Return the values that differ, ours and PyTorch's."""
    ours, theirs = difference.values
    differ = ~np.isclose(ours, theirs, 1e-3, 1e-3, equal_nan=True)
    return ours[differ], theirs[differ]


def is_nan_here(difference):
    """Return whether all values that differ are nan here and a number in PyTorch."""
    ours, theirs = differing(difference)
    return bool((np.isnan(ours) & ~np.isnan(theirs)).all())


def is_zero_there(difference):
    """Return whether all values that differ are 0 in PyTorch."""
    return not differing(difference)[1].any()


def is_nan_there(difference):
    """Return whether all values that differ are numbers here and nan in PyTorch."""
    ours, theirs = differing(difference)
    return bool((np.isnan(theirs) & ~np.isnan(ours)).all())


def is_rounding(text):
    """Return whether PyTorch's result changes, or it raises, if the last bits of the arguments change."""
    theirs = outcome(text, torch)
    for nudge in range(1, 9):
        other = outcome(text, torch, nudge)
        if other[1] != theirs[1]:
            return True
        try:
            for name in ("out", "again", *(f"x{k}" for k in range(3))):
                compare(name, other[0].get(name), theirs[0].get(name))
        except Difference:
            return True
    return False


def _nudged(sample, seed):
    """The function that makes arguments, with rounding errors that depend on `seed`."""

    def other(shape, start, dtype="float64"):
        made = sample(shape, start, dtype)
        if not made.is_floating_point() and not made.is_complex():
            return made
        errors = np.random.RandomState(seed).randint(-2, 3, made.shape)
        return made * (1 + torch.finfo(made.dtype).eps * torch.as_tensor(errors, dtype=made.dtype))

    return other


def warns_there(text, difference):
    """Return whether only PyTorch warns, of an operator that it takes apart outside of inference mode."""
    found = re.search(r"theirs: (.*)\n\s*ours: +(.*)", difference)
    if "inference_mode" not in text or found is None:
        return False
    theirs, ours = map(ast.literal_eval, found.groups())
    return [w for w in theirs if not re.search(r"rule for aten::(square_|detach_)\.", w[1])] == ours


def fails_there(text, error):
    """Whether PyTorch's error is one of its own formulas."""
    if PARTING.search(error):
        return True
    return any(calls.search(text) and says.search(error) for calls, says in OWN)


FORWARD = re.compile("pushed|dual|jacfwd|hessian|forward-mode|hvp|linearize")


def without_out_dims(program):
    text = [re.sub(r",? ?out_dims=(?:-?\d|\([^)]*\))", "", layer.text) for layer in program.layers]
    layers = [
        dataclasses.replace(each, text=t) for each, t in zip(program.layers, text, strict=True)
    ]
    layers = [each for each in layers if "out_dims" not in each.text]
    return dataclasses.replace(program, layers=layers)


def difference_of(program):
    text = program.text()
    # PyTorch computes its tangents by constants of a trace, which know of no level
    if "linearize" in text and len(program.layers) + any(program.given) > 1:
        return None
    theirs, before, ours = outcome(text, torch), _state(), outcome(text, minitorch)
    try:
        same("state", _state(), before)
        if theirs[1] != ours[1]:
            if "linearize" in text or theirs[1] and fails_there(text, theirs[1][1]):
                return None
            raise Difference(f"raises\n  theirs: {theirs[1]}\n  ours:   {ours[1]}")
        # linearize runs the function twice there
        for name in ("out", "again", *["log"] * ("linearize" not in text)):
            compare(name, ours[0].get(name), theirs[0].get(name))
        for name in ["c0", *(f"x{k}" for k in range(len(program.shapes)))]:
            compare(name, ours[0].get(name), theirs[0].get(name))
        # as often as Python shows them
        told = [
            list(dict.fromkeys(w for w in side[2] if not QUIET.search(w[1])))
            for side in (ours, theirs)
        ]
        if told[0] != told[1]:
            raise Difference(f"warns\n  theirs: {told[1]}\n  ours:   {told[0]}")
    except Difference as difference:
        return difference
    return None


def compare(path, ours, theirs):
    if isinstance(theirs, tuple | list):
        same(f"{path}: type", type(ours).__name__, type(theirs).__name__)
        same(f"{path}: length", len(ours), len(theirs))
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            compare(f"{path}[{k}]", a, b)
    elif isinstance(theirs, dict) and isinstance(ours, dict):
        same(f"{path}: keys", list(ours), list(theirs))
        for key in theirs:
            compare(f"{path}[{key!r}]", ours[key], theirs[key])
    elif isinstance(theirs, TENSORS) and isinstance(ours, TENSORS):
        for attribute in ("dtype", "shape", "requires_grad"):
            values = [str(getattr(t, attribute)) for t in (ours, theirs)]
            same(f"{path}.{attribute}", *values)
        compare_values(path, ours, theirs)
    elif isinstance(theirs, float | complex):
        if not np.isclose(ours, theirs, rtol=1e-5, atol=1e-5, equal_nan=True):
            raise Difference(f"{path}: {ours}, not {theirs}", (ours, theirs))
    elif isinstance(theirs, str) and isinstance(ours, str):
        same(path, plain(ours), plain(theirs))
    elif not (callable(ours) and callable(theirs)):
        same(path, ours, theirs)


def same(what, ours, theirs):
    if ours != theirs:
        raise Difference(f"{what}: {ours!r}, not {theirs!r}")


def compare_values(path, ours, theirs):
    try:
        a, b = (t.detach().resolve_conj().clone().numpy(force=True) for t in (ours, theirs))
    except (RuntimeError, TypeError) as error:
        if "ScalarType" in str(error):
            return  # which NumPy has not
        if "escaped" in str(error) or "Batching rule" in str(error):
            return  # a sample that was kept longer than its transform
        raise
    if b.dtype.kind == "c":
        a, b = (np.stack([x.real, x.imag]) for x in (a, b))
    tolerance = TOLERANCE.get(str(theirs.dtype), 1e-6)
    finite = np.abs(b[np.isfinite(b)])
    absolute = tolerance * max(1.0, float(finite.max())) if finite.size else tolerance
    if not np.allclose(a, b, tolerance, absolute, equal_nan=True):
        raise Difference(f"{path}: {a.tolist()}, not {b.tolist()}"[:500], (a, b))


# ---- shrinking


def smaller(program):
    """Programs with less in them."""
    change = dataclasses.replace
    for k in range(len(program.layers)):
        yield change(program, layers=program.layers[:k] + program.layers[k + 1 :])
    for k, statement in enumerate(program.body):
        rest = program.body[:k] + program.body[k + 1 :]
        yield change(program, body=rest)
        made = re.match(r"(t\d+) = ", statement)
        used = re.findall(r"\b(?:t\d+|[abc])\b", statement[made.end() :]) if made else []
        for other in dict.fromkeys(used):
            if other != made[1]:
                name = rf"\b{made[1]}\b"
                body = [re.sub(name, other, line) for line in rest]
                yield change(program, body=body, result=re.sub(name, other, program.result))
    if program.after:
        yield change(program, after="")
    if any(program.layouts):
        yield change(program, layouts=[None] * len(program.layouts))
    if any(program.given):
        yield change(program, given=[False] * len(program.given), after="")
    names = re.findall(r"\b(?:t\d+|[abc])\b", program.result)
    for name in names if len(names) > 1 else []:
        yield change(program, result=name)
    for k, layer in enumerate(program.layers):
        for option in re.findall(r", (?:\w+)=(?:[\w'-]+|\([^)]*\))", layer.text):
            if not option.startswith((", in_dims", ", f=")):
                shorter = Layer(layer.text.replace(option, ""), layer.in_dims, layer.size)
                yield change(
                    program, layers=program.layers[:k] + [shorter] + program.layers[k + 1 :]
                )


def shrunk(program, difference, budget=60):
    """The program without what its difference does not need."""
    found = True
    while found and budget > 0:
        found = False
        for candidate in smaller(program):
            if not complete(candidate):
                continue
            budget -= 1
            other = run(candidate)
            if other is not None and category(other) == category(difference):
                program, difference, found = candidate, other, True
                break
            if budget <= 0:
                break
    return program, difference


def category(difference):
    first = str(difference).split("\n")[0]
    return first if first in ("raises", "warns") else "value"


def complete(program):
    """Whether every variable is made before it is used."""
    made = set()
    for text in (*program.body, program.result):
        new = re.match(r"(?:with .*\n +)?(t\d+) = ", text)
        used = re.findall(r"\bt\d+\b", text[new.end() :] if new else text)
        made |= {new[1]} if new else set()
        if not made.issuperset(used):
            return False
    return True


def kind(difference):
    """A difference without its numbers, by which it is counted once."""
    return re.sub(r"[-\d.\[\]x]+", "#", str(difference))[:240]


def script(program, difference):
    """A program that either library runs by itself."""
    lines = ["import torch  # or: import minitorch as torch", PRELUDE, program.text(), "print(out)"]
    return "\n".join([*lines, *(f"# {line}" for line in str(difference).splitlines())])


# programs run in a child, which may die of one: another goes on behind it
_FORK = multiprocessing.get_context("fork")
_MOST_MEMORY, _MOST_SECONDS = 6 << 30, 60  # or of one that does not end


class _Counts:
    """What a child has come to."""

    def __init__(self, seed):
        self.seed = _FORK.Value("q", seed)
        self.found, self.shown = _FORK.Value("q", 0), _FORK.Value("q", 0)
        self.there = _where  # whether PyTorch is running


_where = _FORK.Value("b", 0)


def _search(counts, end, options):
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    seen = set()
    while counts.seed.value < end and counts.shown.value < options.most:
        _where.value = True
        signal.alarm(_MOST_SECONDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = program(counts.seed.value)
        difference = run(made)
        if difference is not None:
            counts.found.value += 1
        if difference is not None and kind(difference) not in seen:
            seen.add(kind(difference))
            made, difference = shrunk(made, difference)
            text = made.text() + f"# {difference}" if options.brief else script(made, difference)
            print(f"\n# ---- seed {counts.seed.value}\n{text}", flush=True)
            seen.add(kind(difference))
            counts.shown.value += 1
        counts.seed.value += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=20, help="stop after so many that differ")
    parser.add_argument("--brief", action="store_true", help="print programs without the prelude")
    options = parser.parse_args()
    started, counts = time.time(), _Counts(options.seed)
    end = options.seed + options.count
    while counts.seed.value < end and counts.shown.value < options.most:
        child = _FORK.Process(target=_search, args=(counts, end, options))
        child.start()
        child.join()
        if child.exitcode < 0:
            name = "PyTorch" if counts.there.value else "minitorch"
            print(f"\n# ---- seed {counts.seed.value}: {name} died of {-child.exitcode}")
            counts.found.value += not counts.there.value
            counts.seed.value += 1
        elif child.exitcode:
            sys.exit(child.exitcode)
    count, found = counts.seed.value - options.seed, counts.found.value
    print(f"\n{count} programs, {found} differ, {time.time() - started:.0f} s")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
