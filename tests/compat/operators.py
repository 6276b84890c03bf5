"""Operators: the samples of PyTorch's ``op_db``, and the inputs that must be refused."""

import copy
import functools

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db

import minitorch
from tests.compat.comparison import Different, compare, leaves
from tests.compat.translate import Missing, Untranslatable, copied, find, translated

ASPECTS = ("forward", "gradient", "second gradient", "errors")
DTYPES = (torch.float64, torch.int64, torch.complex128, torch.bool, torch.float32)
DIFFERENTIABLE = (torch.float64, torch.complex128)
SAMPLES = 8
FEW_SAMPLES = 3
ERRORS = 12
# newly exposed memory holds anything
SHAPE_ONLY = {"resize_", "resize_as_", "empty", "empty_like", "new_empty", "empty_strided"}
SHAPE_ONLY |= {"new_empty_strided", "empty_permuted"}
ENTRIES = {
    op.name + (f".{op.variant_test_name}" if op.variant_test_name else ""): op for op in op_db
}
# are about what minitorch is not: other devices, layouts, compilers, PyTorch's own internals
FOREIGN = ("_refs.", "sparse.", "jiterator", "torch.ops.", "to_sparse", "ops.aten.")


def names():
    return [name for name in ENTRIES if not any(word in name for word in FOREIGN)]


def function_of(op):
    """minitorch's counterpart of an entry's function."""
    try:
        plain = find(op.name, torch)
    except Missing:
        plain = None
    found = find(op.name) if plain is op.op else translated(op.op)
    if getattr(found, "__module__", None) == "minitorch.namespace.absent":
        raise Missing(f"{op.name} is a name alone")
    return found


class Case:
    """A sample that either library can be called with."""

    def __init__(self, op, sample):
        self.op, self.sample = op, sample
        self.arguments = (sample.input, tuple(sample.args), sample.kwargs)
        process = sample.output_process_fn_grad
        self.process = None if "SampleInput.__init__" in process.__qualname__ else process
        wrapper = op.gradcheck_wrapper
        masked = "masked" in wrapper.__name__
        self.wrapper = None if masked or wrapper.__name__ == "<lambda>" else wrapper
        self.masked = masked

    def call(self, function, ours, wrapped=False):
        """The result, as it is to be compared, and the leaves that require grad."""
        known = {}
        convert = translated if ours else (lambda x: x)
        first, args, kwargs = (translated if ours else copied)(self.arguments, known)
        if wrapped and self.wrapper is not None:
            function = functools.partial(convert(self.wrapper), function)
        result = function(first, *args, **kwargs)
        if self.process is not None:
            result = convert(self.process)(result)
        return result, [t for t in known.values() if t.requires_grad]


def outputs(result):
    kinds = (torch.Tensor, minitorch.Tensor)
    return [t for t in leaves(result) if isinstance(t, kinds) and t.requires_grad]


def like(tensors, seed, requires_grad=False):
    """Gradients for PyTorch's tensors."""
    rng = np.random.RandomState(seed)
    made = []
    for t in tensors:
        values = rng.standard_normal((2, *t.shape))
        values = values[0] + 1j * values[1] if t.is_complex() else values[0]
        values = torch.from_numpy(np.asarray(values)).to(t.dtype)
        made.append(values.requires_grad_(requires_grad))
    return made


def gradients(library, tensors, inputs, grads, create_graph=False):
    found = library.autograd.grad(
        tensors, inputs, grads, create_graph=create_graph, allow_unused=True
    )
    return [library.zeros_like(x) if g is None else g for g, x in zip(found, inputs, strict=True)]


class Expectation:
    """What PyTorch gives for a sample: the result, the gradients, the second gradients."""

    def __init__(self, op, case):
        self.first = self.second = None
        seed()
        self.result, inputs = case.call(op.op, ours=False)
        if not (op.supports_autograd and inputs and outputs(self.result)):
            return
        self.first, self.second = self._first(op, case), None
        if self.first is not None and op.supports_gradgrad:
            self.second = self._second(op, case)

    def _first(self, op, case):
        try:
            self._tensors(op, case, twice=False)
            return gradients(torch, self.tensors, self.inputs, self.grads)
        except Exception:
            return None

    def _second(self, op, case):
        try:
            self._tensors(op, case, twice=True)
            found = gradients(torch, self.tensors, self.inputs, self.grads, True)
            self.places = [k for k, g in enumerate(found) if g.requires_grad]
            found = [found[k] for k in self.places]
            self.weights = like(found, 2)
            return gradients(torch, found, self.inputs + self.grads, self.weights)
        except Exception:
            return None

    def _tensors(self, op, case, twice):
        seed()
        result, self.inputs = case.call(op.op, ours=False, wrapped=True)
        self.tensors = outputs(result)
        self.grads = like(self.tensors, 1, twice)


def check_sample(op, function, case):
    """Yield the aspects that differ, with what differs."""
    try:
        expected = Expectation(op, case)
    except Exception:
        return
    aspect, values = "forward", not case.masked and op.name not in SHAPE_ONLY
    try:
        seed()
        compare(case.call(function, ours=True)[0], expected.result, values=values)
        if expected.first is None or case.masked:
            return
        aspect = "gradient"
        tensors, inputs, grads = own_gradients(function, case, expected, False)
        compare(gradients(minitorch, tensors, inputs, grads), expected.first, 10, values)
        if expected.second is None:
            return
        aspect = "second gradient"
        tensors, inputs, grads = own_gradients(function, case, expected, True)
        found = gradients(minitorch, tensors, inputs, grads, True)
        found = [found[k] for k in expected.places]
        if not all(g.requires_grad for g in found):
            raise Different("a gradient has no history")
        found = gradients(minitorch, found, inputs + grads, translated(expected.weights))
        compare(found, expected.second, 100, values)
    except Untranslatable:
        return
    except Exception as error:
        yield aspect, describe(error)


def own_gradients(function, case, expected, twice):
    seed()
    result, inputs = case.call(function, ours=True, wrapped=True)
    tensors = outputs(result)
    if len(expected.tensors) != len(tensors):
        raise Different(f"{len(tensors)} results require grad, not {len(expected.tensors)}")
    grads = [t.requires_grad_(twice) for t in translated([g.detach() for g in expected.grads])]
    return tensors, inputs, grads


def describe(error):
    if isinstance(error, Different | Missing):
        return str(error)
    if isinstance(error, AttributeError) and "has no attribute" in str(error):
        return f"there is no {str(error).split(chr(39))[-2]}"
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:160]}"


def seed():
    torch.default_generator.manual_seed(0)
    minitorch.manual_seed(0)


def samples(op, dtype):
    """Some of an operator's samples, and the first ones with strange strides."""
    grads = op.supports_autograd and dtype in op.backward_dtypes and dtype in DIFFERENTIABLE
    seed()
    np.random.seed(0)
    found = list(op.sample_inputs_func(op, "cpu", dtype, grads))
    count = SAMPLES if dtype in DIFFERENTIABLE else FEW_SAMPLES
    step = max(1, (len(found) - 1) / max(1, count - 1))
    yield from (found[round(k * step)] for k in range(count) if round(k * step) < len(found))
    if "as_strided" in op.name:
        return  # sees the memory between the elements
    for sample in found[:2]:
        try:
            yield sample.noncontiguous()
        except (RuntimeError, TypeError, NotImplementedError):
            continue


def check_errors(op, function):
    try:
        seed()
        given = list(op.error_inputs_func(op, "cpu"))[:ERRORS]
    except Exception:
        return
    for item in given:
        case = Case(op, item.sample_input)
        try:
            case.call(op.op, ours=False)
            continue
        except Exception as error:
            expected = error
        try:
            case.call(function, ours=True)
        except (Untranslatable, Missing):
            continue
        except Exception as error:
            wanted = [c.__name__ for c in (type(expected), item.error_type)]
            if not any(c.__name__ in wanted for c in type(error).__mro__[:-2]):
                yield "errors", f"{type(error).__name__}, not {describe(expected)}"
        else:
            yield "errors", f"none, not {describe(expected)}"


def check(name):
    """What is not PyTorch's in an operator: ``{aspect: difference}``."""
    op, failures = ENTRIES[name], {}
    try:
        function = function_of(op)
    except Untranslatable:
        return failures
    except Missing as error:
        return {"forward": str(error)}
    for dtype in [d for d in DTYPES if d in op.dtypes] or list(op.dtypes)[:1]:
        for sample in samples(op, dtype):
            for aspect, text in check_sample(op, function, Case(op, copy.copy(sample))):
                failures.setdefault(aspect, f"{text} ({str(dtype)[6:]})")
    if op.error_inputs_func is not None:
        for aspect, text in check_errors(op, function):
            failures.setdefault(aspect, text)
    return failures
