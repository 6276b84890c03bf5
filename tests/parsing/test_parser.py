"""Error messages of the argument parser: each is compared with what PyTorch raises for the call.

The parser is asked on PyTorch's own tensors, so these tests need no operator of ours. Every
function is called in a right way first; then its arguments are changed one by one, dropped, doubled
and renamed, and whatever PyTorch's parser says, ours has to say too.
"""

import re
import subprocess
import sys

import numpy as np
import pytest

from minitorch.core import class_names
from minitorch.core.class_names import register_type_name
from minitorch.parsing import values
from minitorch.parsing.parser import argument_error, bind
from minitorch.parsing.signature import parse_signature
from minitorch.parsing.values import register_type

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

# One signature for each overload, in PyTorch's order; an indented line goes on with the one before.
SIGNATURES = """
torch.add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)
torch.add(Tensor input, Scalar alpha, Tensor other, *, Tensor out=None)|deprecated
torch.mul(Tensor input, Tensor other, *, Tensor out=None)
torch.sum(Tensor input, *, ScalarType? dtype=None)
torch.sum(Tensor input, IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor
    out=None)
torch.mean(Tensor input, *, ScalarType? dtype=None, Tensor out=None)
torch.mean(Tensor input, IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None,
    Tensor out=None)
torch.max(Tensor input, *, Tensor out=None)
torch.max(Tensor input, Tensor other, *, Tensor out=None)
torch.max(Tensor input, int64_t dim, bool keepdim=False, *, TensorList[2] out=None)
torch.reshape(Tensor input, SymIntArrayRef shape)
torch.permute(Tensor input, IntArrayRef dims)
torch.transpose(Tensor input, int64_t dim0, int64_t dim1)
torch.cat(TensorList tensors, int64_t dim=0, *, Tensor out=None)
torch.stack(TensorList tensors, int64_t dim=0, *, Tensor out=None)
torch.where(Tensor condition)
torch.where(Tensor condition, Tensor input, Tensor other, *, Tensor out=None)
torch.where(Tensor condition, Scalar self, Tensor other)
torch.where(Tensor condition, Tensor input, Scalar other)
torch.where(Tensor condition, Scalar self, Scalar other)
torch.gather(Tensor input, int64_t dim, Tensor index, *, bool sparse_grad=False, Tensor out=None)
torch.scatter(Tensor input, int64_t dim, Tensor index, Tensor src, *, Tensor out=None)
torch.scatter(Tensor input, int64_t dim, Tensor index, Tensor src, *, c10::string_view reduce,
    Tensor out=None)
torch.scatter(Tensor input, int64_t dim, Tensor index, Scalar value, *, Tensor out=None)
torch.scatter(Tensor input, int64_t dim, Tensor index, Scalar value, *, c10::string_view reduce,
    Tensor out=None)
torch.matmul(Tensor input, Tensor other, *, Tensor out=None)
torch.addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor
    out=None)
torch.addmm(Tensor input, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar
    alpha=1, Tensor out=None)
torch.addmm(Scalar beta, Tensor input, Scalar alpha, Tensor mat1, Tensor mat2, *, Tensor
    out=None)|deprecated
torch.addmm(Scalar beta, Tensor input, Tensor mat1, Tensor mat2, *, Tensor out=None)|deprecated
torch.zeros(SymIntArrayRef size, *, Tensor out=None, ScalarType? dtype=None, Layout? layout=None,
    Device? device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.ones(SymIntArrayRef size, *, Tensor out=None, ScalarType? dtype=None, Layout? layout=None,
    Device? device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.full(SymIntArrayRef size, Scalar fill_value, *, Tensor out=None, ScalarType? dtype=None,
    Layout? layout=None, Device? device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.arange(Scalar end, *, Tensor out=None, ScalarType? dtype=None, Layout? layout=None, Device?
    device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.arange(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device?
    device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.arange(Scalar start, Scalar end, Scalar step=1, *, Tensor out=None, ScalarType? dtype=None,
    Layout? layout=None, Device? device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.linspace(Tensor start, Tensor end, int64_t steps, *, Tensor out=None, ScalarType?
    dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, bool?
    requires_grad=False)
torch.linspace(Scalar start, Tensor end, int64_t steps, *, Tensor out=None, ScalarType?
    dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, bool?
    requires_grad=False)
torch.linspace(Tensor start, Scalar end, int64_t steps, *, Tensor out=None, ScalarType?
    dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, bool?
    requires_grad=False)
torch.linspace(Scalar start, Scalar end, int64_t steps, *, Tensor out=None, ScalarType?
    dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, bool?
    requires_grad=False)
torch.randn(SymIntArrayRef size, *, Generator? generator, Tensor out=None, ScalarType? dtype=None,
    Layout? layout=None, Device? device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.randn(SymIntArrayRef size, *, Tensor out=None, ScalarType? dtype=None, Layout? layout=None,
    Device? device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.randint(SymInt high, SymIntArrayRef size, *, Generator? generator, Tensor out=None,
    ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False,
    bool? requires_grad=False)
torch.randint(SymInt high, SymIntArrayRef size, *, Tensor out=None, ScalarType? dtype=None,
    Layout? layout=None, Device? device=None, bool? pin_memory=False, bool? requires_grad=False)
torch.randint(SymInt low, SymInt high, SymIntArrayRef size, *, Generator? generator, Tensor
    out=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
    pin_memory=False, bool? requires_grad=False)
torch.randint(SymInt low, SymInt high, SymIntArrayRef size, *, Tensor out=None, ScalarType?
    dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, bool?
    requires_grad=False)
torch.clamp(Tensor input, Tensor? min=None, Tensor? max=None, *, Tensor out=None)
torch.clamp(Tensor input, Scalar? min=None, Scalar? max=None, *, Tensor out=None)
torch.pow(Tensor input, Tensor exponent, *, Tensor out=None)
torch.pow(Scalar self, Tensor exponent, *, Tensor out=None)
torch.pow(Tensor input, Scalar exponent, *, Tensor out=None)
torch.squeeze(Tensor input)
torch.squeeze(Tensor input, int64_t dim)
torch.squeeze(Tensor input, IntArrayRef dim)
torch.unsqueeze(Tensor input, int64_t dim)
torch.narrow(Tensor input, int64_t dim, Tensor start, SymInt length)
torch.narrow(Tensor input, int64_t dim, SymInt start, SymInt length)
torch.conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymIntArrayRef[2] stride=1,
    SymIntArrayRef[2] padding=0, SymIntArrayRef[2] dilation=1, SymInt groups=1)
torch.conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymIntArrayRef[2] stride=1,
    c10::string_view padding="valid", SymIntArrayRef[2] dilation=1, SymInt groups=1)
torch.max_pool2d(Tensor input, IntArrayRef[2] kernel_size, IntArrayRef[2] stride=None,
    IntArrayRef[2] padding=0, IntArrayRef[2] dilation=1, bool ceil_mode=False)
torch.layer_norm(Tensor input, SymIntArrayRef normalized_shape, Tensor? weight=None, Tensor?
    bias=None, double eps=1e-05, bool cudnn_enable=True)
torch.embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool
    scale_grad_by_freq=False, bool sparse=False)
torch.dropout(Tensor input, double p, bool train)
torch.index_select(Tensor input, int64_t dim, Tensor index, *, Tensor out=None)
torch.masked_fill(Tensor input, Tensor mask, Tensor value)
torch.masked_fill(Tensor input, Tensor mask, Scalar value)
torch.norm(Tensor input, Scalar p=2)
torch.norm(Tensor input, Scalar? p, *, ScalarType dtype)
torch.norm(Tensor input, Scalar? p, IntArrayRef[1] dim, bool keepdim, *, ScalarType dtype, Tensor
    out=None)
torch.norm(Tensor input, Scalar? p, IntArrayRef[1] dim, bool keepdim=False, *, Tensor out=None)
torch.var(Tensor input, IntArrayRef[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor
    out=None)
torch.var(Tensor input, IntArrayRef[1]? dim=None, *, Scalar? correction=None, bool keepdim=False,
    Tensor out=None)
torch.var(Tensor input, bool unbiased=True)
torch.std(Tensor input, IntArrayRef[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor
    out=None)
torch.std(Tensor input, IntArrayRef[1]? dim=None, *, Scalar? correction=None, bool keepdim=False,
    Tensor out=None)
torch.std(Tensor input, bool unbiased=True)
torch.cumsum(Tensor input, int64_t dim, *, ScalarType? dtype=None, Tensor out=None)
torch.sort(Tensor input, *, bool? stable, int64_t dim=-1, bool descending=False, TensorList[2]
    out=None)
torch.sort(Tensor input, int64_t dim=-1, bool descending=False, *, TensorList[2] out=None)
torch.topk(Tensor input, SymInt k, int64_t dim=-1, bool largest=True, bool sorted=True, *,
    TensorList[2] out=None)
torch.softmax(Tensor input, int64_t dim, ScalarType? dtype=None, *, Tensor out=None)
torch.clone(Tensor input, *, MemoryFormat? memory_format=None)
torch.repeat_interleave(Tensor input, Tensor repeats, int64_t? dim=None, *, SymInt?
    output_size=None)
torch.repeat_interleave(Tensor repeats, *, SymInt? output_size=None)
torch.repeat_interleave(Tensor input, SymInt repeats, int64_t? dim=None, *, SymInt?
    output_size=None)
nn.linear(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor out=None)
nn.gelu(Tensor input, *, c10::string_view approximate="none", Tensor out=None)
nn.mse_loss(Tensor input, Tensor target, int64_t reduction=at::Reduction::Mean, *, Tensor
    out=None)
nn.nll_loss(Tensor input, Tensor target, Tensor? weight=None, int64_t
    reduction=at::Reduction::Mean, SymInt ignore_index=-100, *, Tensor out=None)
nn.pad(Tensor input, SymIntArrayRef pad, c10::string_view mode="constant", double? value=None)
nn.upsample_bilinear2d(Tensor input, SymIntArrayRef? output_size, bool align_corners,
    ArrayRef<double>? scale_factors)
nn.upsample_bilinear2d(Tensor input, SymIntArrayRef[2] output_size, bool align_corners, double?
    scales_h=None, double? scales_w=None, *, Tensor out=None)
nn.leaky_relu(Tensor input, Scalar negative_slope=0.01, *, Tensor out=None)
Tensor.add(Tensor other, *, Scalar alpha=1)
Tensor.add(Scalar alpha, Tensor other)|deprecated
Tensor.mul(Tensor other)
Tensor.sum(*, ScalarType? dtype=None)
Tensor.sum(IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
Tensor.view(ScalarType dtype)
Tensor.view(SymIntArrayRef size)
Tensor.reshape(SymIntArrayRef shape)
Tensor.permute(IntArrayRef dims)
Tensor.expand(SymIntArrayRef size, *, bool implicit=False)
Tensor.transpose(int64_t dim0, int64_t dim1)
Tensor.max()
Tensor.max(Tensor other)
Tensor.max(int64_t dim, bool keepdim=False)
Tensor.split(SymInt split_size, int64_t dim=0)
Tensor.split(SymIntArrayRef split_size, int64_t dim=0)
Tensor.repeat(SymIntArrayRef repeats)
Tensor.masked_fill(Tensor mask, Tensor value)
Tensor.masked_fill(Tensor mask, Scalar value)
Tensor.fill_(Tensor value)
Tensor.fill_(Scalar value)
Tensor.copy_(Tensor other, bool non_blocking=False)
Tensor.copy_(Tensor other, bool async=False)|deprecated
Tensor.new_zeros(SymIntArrayRef size, *, ScalarType? dtype=None, Layout? layout=None, Device?
    device=None, bool? pin_memory=False, bool? requires_grad=False)
Tensor.scatter_(int64_t dim, Tensor index, Tensor src)
Tensor.scatter_(int64_t dim, Tensor index, Tensor src, *, c10::string_view reduce)
Tensor.scatter_(int64_t dim, Tensor index, Scalar value)
Tensor.scatter_(int64_t dim, Tensor index, Scalar value, *, c10::string_view reduce)
Tensor.index_select(int64_t dim, Tensor index)
Tensor.size(int64_t? dim=None)
Tensor.where(Tensor condition, Tensor other)
Tensor.where(Tensor condition, Scalar other)
Tensor.squeeze()
Tensor.squeeze(int64_t dim)
Tensor.squeeze(IntArrayRef dim)
Tensor.requires_grad_(bool requires_grad=True)
Tensor.contiguous(*, MemoryFormat memory_format=contiguous_format)
Tensor.tile(SymIntArrayRef dims)
Tensor.std(IntArrayRef[1]? dim, bool unbiased=True, bool keepdim=False)
Tensor.std(IntArrayRef[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)
Tensor.std(bool unbiased=True)
Tensor.index_put_(c10::List<::std::optional<Tensor>> indices, Tensor values, bool
    accumulate=False)
"""

NAMESPACES = {
    "torch": torch._C._VariableFunctions,
    "nn": torch._C._nn,
    "Tensor": torch._C.TensorBase,
}

T = torch.ones(2, 3)
INDEX = torch.zeros(2, 3, dtype=torch.int64)
IMAGE, WEIGHT = torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2)

# Right calls: the arguments of a method come after its tensor T.
CALLS = {
    "torch.add": [((T, T), {}), ((T, 2), {"alpha": 2})],
    "torch.mul": [((T, T), {})],
    "torch.sum": [((T,), {}), ((T, (0, 1)), {}), ((T, 0, True), {"dtype": torch.float64})],
    "torch.mean": [((T,), {}), ((T, 0), {"keepdim": True})],
    "torch.max": [((T,), {}), ((T, 0, True), {}), ((T, T), {})],
    "torch.reshape": [((T, (3, 2)), {})],
    "torch.permute": [((T, (1, 0)), {})],
    "torch.transpose": [((T, 0, 1), {})],
    "torch.cat": [(([T, T],), {"dim": 0}), (((T, T), 1), {})],
    "torch.stack": [(([T, T],), {"dim": 0})],
    "torch.where": [((T > 0, T, T), {}), ((T > 0,), {}), ((T > 0, 1, T), {})],
    "torch.gather": [((T, 0, INDEX), {})],
    "torch.scatter": [((T, 0, INDEX, T), {}), ((T, 0, INDEX, 1.0), {"reduce": "add"})],
    "torch.matmul": [((T, T.T), {})],
    "torch.addmm": [((torch.ones(2, 2), T, T.T), {"beta": 1, "alpha": 2})],
    "torch.zeros": [((2, 3), {}), (((2, 3),), {"dtype": torch.int64})],
    "torch.ones": [((2,), {"requires_grad": True})],
    "torch.full": [(((2, 3), 1.5), {"dtype": torch.float64})],
    "torch.arange": [((3,), {}), ((0, 5, 2), {"device": "cpu"})],
    "torch.linspace": [((0, 1, 5), {"dtype": torch.float32})],
    "torch.randn": [((2, 3), {}), (((2,),), {"generator": None})],
    "torch.randint": [((5, (2,)), {}), ((0, 5, (2,)), {"dtype": torch.int64})],
    "torch.clamp": [((T, 0, 1), {}), ((T,), {"min": T})],
    "torch.pow": [((T, 2), {}), ((2, T), {}), ((T, T), {})],
    "torch.squeeze": [((T,), {}), ((T, 0), {}), ((T, (0, 1)), {})],
    "torch.unsqueeze": [((T, 0), {})],
    "torch.narrow": [((T, 1, 0, 2), {})],
    "torch.conv2d": [((IMAGE, WEIGHT, None, 1, (0, 0)), {"groups": 1})],
    "torch.max_pool2d": [((IMAGE, 2), {"stride": (1, 1), "ceil_mode": False})],
    "torch.layer_norm": [((T, (3,), torch.ones(3), None, 1e-5), {})],
    "torch.embedding": [((T, INDEX), {"padding_idx": -1})],
    "torch.dropout": [((T, 0.5, True), {})],
    "torch.index_select": [((T, 0, INDEX[0]), {})],
    "torch.masked_fill": [((T, T > 0, 1.0), {}), ((T, T > 0, torch.tensor(1.0)), {})],
    "torch.norm": [((T,), {}), ((T, 2, 0), {}), ((T, 2, (0, 1), True), {"dtype": torch.float64})],
    "torch.var": [((T,), {}), ((T, 0), {"correction": 0}), ((T, (0,), False, True), {})],
    "torch.std": [((T, False), {}), ((T, 0, True), {})],
    "torch.cumsum": [((T, 0), {"dtype": torch.float64})],
    "torch.sort": [((T,), {}), ((T, 0, True), {}), ((T,), {"stable": True, "dim": 0})],
    "torch.topk": [((T, 2), {}), ((T, 2, 1, True, False), {})],
    "torch.softmax": [((T, 0), {}), ((T, 0, torch.float64), {})],
    "torch.clone": [((T,), {"memory_format": torch.contiguous_format})],
    "torch.repeat_interleave": [((T, 2), {}), ((T, INDEX[0]), {"dim": 1})],
    "nn.linear": [((T, T), {}), ((T, T, None), {})],
    "nn.gelu": [((T,), {"approximate": "tanh"})],
    "nn.mse_loss": [((T, T, 1), {})],
    "nn.nll_loss": [((T, INDEX[:, 0], None, 1, -100), {})],
    "nn.pad": [((T, (1, 1), "constant", 0.0), {})],
    "nn.upsample_bilinear2d": [((IMAGE, (8, 8), True, None), {})],
    "nn.leaky_relu": [((T, 0.1), {})],
    "Tensor.add": [((T,), {"alpha": 2}), ((2,), {})],
    "Tensor.mul": [((T,), {})],
    "Tensor.sum": [((), {}), ((0, True), {}), (((0, 1),), {"dtype": torch.float64})],
    "Tensor.view": [((3, 2), {}), (((3, 2),), {}), ((torch.int32,), {})],
    "Tensor.reshape": [((3, 2), {}), (((-1,),), {})],
    "Tensor.permute": [((1, 0), {}), (((1, 0),), {})],
    "Tensor.expand": [((2, 2, 3), {}), (((2, 3),), {"implicit": False})],
    "Tensor.transpose": [((0, 1), {})],
    "Tensor.max": [((), {}), ((0, True), {}), ((T,), {})],
    "Tensor.split": [((1, 0), {})],
    "Tensor.repeat": [((2, 2), {}), (((2, 1),), {})],
    "Tensor.masked_fill": [((T > 0, 1.0), {})],
    "Tensor.copy_": [((T, False), {}), ((1,), {})],
    "Tensor.new_zeros": [((2, 3), {"dtype": torch.int64})],
    "Tensor.index_select": [((0, INDEX[0]), {})],
    "Tensor.size": [((), {}), ((0,), {})],
    "Tensor.where": [((T > 0, T), {}), ((T > 0, 1.0), {})],
    "Tensor.squeeze": [((), {}), ((0,), {}), (((0, 1),), {})],
    "Tensor.contiguous": [((), {"memory_format": torch.contiguous_format})],
    "Tensor.tile": [((2, 2), {}), (((2,),), {})],
    "Tensor.std": [((), {}), ((0, True, False), {}), ((0,), {"correction": 0})],
}


class Plain:
    pass


class Indexed:
    def __index__(self):
        return 1


WRONG = [
    *("a", b"a", 1, 1.5, True, None, 2j, 2**70, Plain(), Indexed(), {}, range(2), slice(1)),
    *((), [], (1,), [1, 2], (1.0, 2), (1, 2.0), ("a",), [1, "a"], (True, 1), (1, True), (1, None)),
    *((1, 2**70), (Indexed(), 1), [[1], 2], torch.Size([1]), [T], (T, 1), (1, T), [None]),
    *(T, torch.tensor(1), torch.tensor([1]), torch.tensor(True), torch.tensor(1.5)),
    *(torch.tensor(1.0, requires_grad=True), torch.nn.Parameter(torch.ones(2))),
    *((torch.tensor(1), 1), (1, torch.tensor(1)), (1, torch.tensor(1.0))),
    *(np.ones(2), np.float32(1), np.int64(1), np.bool_(True), np.complex64(1)),
    *(torch.float32, float, str, torch.strided, torch.contiguous_format, torch.device("cpu")),
    torch.Generator(),
]

RENAMED = {"dim": "axis", "keepdim": "keepdims", "input": "x1", "other": "x2"}


def overloads():
    joined = re.sub(r"\n    ", " ", SIGNATURES.strip())
    table = {}
    for line in joined.splitlines():
        namespace, _, signature = line.partition(".")
        name = signature.partition("(")[0]
        table.setdefault(f"{namespace}.{name}", []).append(signature)
    return table


OVERLOADS = overloads()


@pytest.fixture(autouse=True)
def pytorchs_types(monkeypatch):
    monkeypatch.setattr(values, "_registry", {})
    monkeypatch.setattr(class_names, "_type_names", {})
    python_types = (float, int, bool, complex)
    integers = (int, np.integer)
    for name, predicate in {
        "Tensor": lambda o: isinstance(o, torch.Tensor),
        "ScalarType": lambda o: isinstance(o, torch.dtype) or any(o is t for t in python_types),
        "Layout": lambda o: isinstance(o, torch.layout),
        "MemoryFormat": lambda o: isinstance(o, torch.memory_format),
        "Generator": lambda o: isinstance(o, torch.Generator),
        "Storage": lambda o: isinstance(o, torch.UntypedStorage),
        "Device": lambda o: (
            isinstance(o, (torch.device, str, bytes))
            or (isinstance(o, integers) and not isinstance(o, bool))
        ),
    }.items():
        register_type(name, predicate)


FROM_PARSER = re.compile(
    r"\w+\(\)(: argument '\w+' (\(position \d+\) )?(must be|failed)| missing \d+ required"
    r"| takes (from )?\d| received an invalid combination| got (an unexpected|multiple values))"
    r"|expected Tensor as element"
)


def outcome_in_pytorch(function, args, kwargs):
    namespace, _, name = function.partition(".")
    first = (torch.ones(2, 3),) if namespace == "Tensor" else ()
    try:
        getattr(NAMESPACES[namespace], name)(*first, *args, **kwargs)
    except (TypeError, ValueError, RuntimeError, OverflowError, IndexError) as error:
        # where C++ catches its own exception it appends a stack trace, which no program compares
        text = re.sub(r"\nException raised from.*", '"', str(error), flags=re.DOTALL)
        return type(error), text
    return None


def outcome_in_minitorch(function, args, kwargs):
    try:
        bind(OVERLOADS[function], args, kwargs)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        again = argument_error(function.partition(".")[2], OVERLOADS[function], args, kwargs)
        assert (type(again), str(again)) == (type(error), str(error))
        return type(error), str(error)
    return None


def assert_same_outcome(function, args, kwargs):
    theirs = outcome_in_pytorch(function, args, kwargs)
    if theirs is not None and "INTERNAL ASSERT" in theirs[1]:
        return  # a custom __index__ where one integer may stand for a list: PyTorch's own mistake
    ours = outcome_in_minitorch(function, args, kwargs)
    if ours is None:
        # the arguments fit, so that what PyTorch raises is not the parser's
        assert theirs is None or not FROM_PARSER.match(theirs[1]), (args, kwargs)
    else:
        assert ours == theirs, (args, kwargs)


def changed(args, kwargs):
    """Calls that differ from a right one in one thing."""
    yield args, kwargs
    for i in range(len(args)):
        yield args[:i], kwargs
        for wrong in WRONG:
            yield (*args[:i], wrong, *args[i + 1 :]), kwargs
    for key in kwargs:
        yield args, {k: v for k, v in kwargs.items() if k != key}
        for wrong in WRONG:
            yield args, kwargs | {key: wrong}
    for wrong in ("a", 1, T):
        yield (*args, wrong), kwargs
        yield (*args, wrong, wrong, wrong, wrong), kwargs
    for key in ("foo", "out", "input", "self", "dim", "size", "False", "None"):
        yield args, kwargs | {key: "a"}
        yield args, {key: "a"} | kwargs
    yield (), {}
    yield (), kwargs
    yield (), {"dim": "a", "keepdim": 1, "dtype": 3, "out": 4, "foo": 5, "bar": 6, "baz": 7}
    yield args, {f"name{i}": i for i in range(30)}


@pytest.mark.parametrize("function", CALLS)
def test_wrong_arguments_are_refused_in_pytorchs_words(function):
    for args, kwargs in CALLS[function]:
        for call in changed(args, kwargs):
            assert_same_outcome(function, *call)


@pytest.mark.parametrize("function", CALLS)
def test_arguments_by_keyword_and_by_numpys_names(function):
    for args, kwargs in CALLS[function]:
        for signature in map(parse_signature, OVERLOADS[function]):
            names = [p.name for p in signature.parameters if not p.keyword_only]
            if len(names) < len(args):
                continue
            for k in range(len(args) + 1):
                named = dict(zip(names[k:], args[k:], strict=False)) | kwargs
                assert_same_outcome(function, args[:k], named)
                numpys = {RENAMED.get(key, key): value for key, value in named.items()}
                assert_same_outcome(function, args[:k], numpys)
                for wrong in ("a", (1.0, 2), None):
                    for key in named:
                        assert_same_outcome(function, args[:k], named | {key: wrong})


def test_bind_finds_the_overload_and_unpacks_its_values():
    table = OVERLOADS["torch.sum"]
    assert bind(table, (T,)) == (0, [T, None])
    index, values = bind(table, (T, 1), {"keepdims": True})
    assert index == 1
    assert values[1:] == [(1,), True, None, None]


def test_bind_repeats_one_integer_and_fills_in_defaults():
    _, values = bind(OVERLOADS["torch.conv2d"], (IMAGE, WEIGHT), {"stride": torch.tensor(2)})
    assert values[2:] == [None, (2, 2), (0, 0), (1, 1), 1]
    _, values = bind(["rot90(Tensor input, int64_t k=1, IntArrayRef dims={0,1})"], (T,))
    assert values[1:] == [1, (0, 1)]
    _, values = bind(["dropout(Tensor input, double p=0, bool train=True)"], (T, np.float32(0.5)))
    assert values[1:] == [0.5, True]
    assert type(values[1]) is float


def test_bind_takes_integers_one_by_one():
    assert bind(OVERLOADS["Tensor.view"], (2, np.int8(3))) == (1, [(2, 3)])
    assert bind(OVERLOADS["Tensor.expand"], (2, 3), {"implicit": True})[1] == [(2, 3), True]


def test_bind_converts_registered_types():
    register_type("ScalarType", lambda o: o is float, lambda o: "float64")
    assert bind(["f(*, ScalarType? dtype=None)"], (), {"dtype": float}) == (0, ["float64"])
    assert bind(["f(*, ScalarType? dtype=None)"], (), {"dtype": None}) == (0, [None])


def test_a_type_that_is_not_registered_fits_nothing():
    values._registry.clear()
    with pytest.raises(TypeError, match=r"^f\(\): argument 'x' \(position 1\) must be Tensor, not"):
        bind(["f(Tensor x)"], (T,))


def test_a_class_is_called_by_its_registered_name():
    register_type_name(Plain, "torch.plain")
    error = argument_error("f", ["f(Tensor input)"], (Plain(),))
    assert str(error) == "f(): argument 'input' (position 1) must be Tensor, not torch.plain"


@pytest.mark.parametrize("value", [2**64, -(2**64)])
def test_an_integer_beyond_64_bits_is_no_scalar(value):
    with pytest.raises(OverflowError) as theirs:
        T * value
    assert str(argument_error("mul", OVERLOADS["torch.mul"], (T, value))) == str(theirs.value)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_colours_instead_of_exclamation_marks(tmp_path):
    import pty

    script = """
import sys, torch
from minitorch.parsing.parser import argument_error
from minitorch.parsing.values import register_type
register_type("Tensor", lambda o: isinstance(o, torch.Tensor))
t, texts = torch.ones(2, 3), []
try:
    torch.narrow(t, 1, 1.5, 1)
except TypeError as error:
    texts.append(str(error))
texts.append(str(argument_error("narrow", sys.argv[2:], (t, 1, 1.5, 1))))
open(sys.argv[1], "w").write(ascii(texts[0]) + chr(10) + ascii(texts[1]))
"""
    master, slave = pty.openpty()
    result = tmp_path / "texts"
    command = [sys.executable, "-c", script, str(result), *OVERLOADS["torch.narrow"]]
    subprocess.run(command, stdin=slave, stdout=slave, stderr=slave, check=True, timeout=120)
    theirs, ours = result.read_text().splitlines()
    assert "x1b" in theirs
    assert ours == theirs
