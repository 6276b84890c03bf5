"""Which arguments the operators take, and what they say of others: PyTorch's answers."""

from pathlib import Path

import pytest

import minitorch
from minitorch.autograd.functions import tensor_methods
from minitorch.namespace.absent_names import IN_C
from minitorch.parsing.grammar import parse_signature

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

ACCEPTED = [
    "torch.add(a, 2, b)",
    "a.add(2, b)",
    "a.sub_(2, b)",
    "torch.add(a, x2=b)",
    "torch.add(2, b)",
    "torch.addmm(2, a, 3, a, b)",
    "torch.addmm(2, a, a, b)",
    "v.addmv(2, 3, b, v)",
    "torch.rsub(a, 2, 3)",
    "torch.floor_divide(a, 2)",
    "torch.floor_divide(a, 2, out=o)",
    "torch.remainder(self=3, other=a)",
    "torch.bucketize(self=3, boundaries=v)",
    "torch.pow(2, a)",
    "torch.pow(self=2, exponent=a)",
    "torch.div(a, 2, rounding_mode=None)",
    "torch.mean(a, out=s)",
    "torch.all(a, dim=(0, 1))",
    "torch.all(a, 1)",
    "torch.all(a, None, True)",
    "a.any(dim=None)",
    "torch.amax(a, None)",
    "torch.roll(a, 1, None)",
    "torch.movedim(a, 0, 1)",
    "torch.movedim(a, (0, 1), (1, 0))",
    "torch.var(a)",
    "torch.var(a, False)",
    "torch.var(a, 0, False, True)",
    "torch.var(a, 0, correction=0)",
    "torch.argsort(a, stable=True)",
    "a.sum(axis=1, keepdims=True)",
    "a.softmax(axis=1)",
    "a.softmax(1, torch.float64)",
    "a.permute(dims=(1, 0))",
    "a.reshape(shape=(4,))",
    "a.reshape(4)",
    "a.view(torch.int32)",
    "a.expand(3, -1, -1)",
    "a.copy_(b, True)",
    "a.fill_(torch.tensor(3.0))",
    "torch.split(a, 1)[1]",
    "a.split((0, 2), 1)[1]",
    "torch.split(tensor=a, split_size_or_sections=[2])[0]",
    "a.unflatten(1, (1, -1))",
    "torch.threshold_(a, 2, 0)",
    "torch.clip(a, max=b)",
    "torch.subtract(a, 2, 3)",
    "a.true_divide(2)",
    "torch.diag(v, diagonal=1)",
    "v.diag(1)",
    "torch.quantile(v, 0.5)",
    "torch.quantile(v, q=torch.tensor(0.5), dim=0)",
    "torch.tensor_split(a, sections=2, dim=1)[0]",
    "a.tensor_split(torch.tensor([1]))[1]",
    "torch.rot90(a, dims=[0, 1])",
    "a.tile(2)",
    "a.tile((2, 1))",
    "torch.where(a > 2, a, 0)",
    "a.where(a > 2, 0)",
    "v.cumsum_(dim=0)",
    "torch.var_mean(v, True)[0]",
    "torch.repeat_interleave(repeats=torch.tensor([1, 2]))",
    "torch.clamp(a, None, b)",
    "torch.clamp(a, max=2)",
]

REFUSED = [
    "torch.remainder(2, 3)",
    "torch.remainder(2, a, out=o)",
    "torch.bitwise_and(1, 2)",
    "torch.bucketize(3.0, v, out=o)",
    "torch.add(a)",
    "torch.add(a, wrong=1)",
    "torch.eq(a, b, wrong=1)",
    "a.lerp(b, b, wrong=1)",
    "torch.movedim(a, 0, (1,))",
    "torch.argsort(a, 1, True, True)",
    "torch.var(a, 0, 1)",
    "torch.narrow(a, 0, 0.5, 1)",
    "a.exp(1)",
    "a.exp(x=1)",
    "type(a).exp()",
    "a.t_(1, 2)",
    "a.permute()",
    "a.expand()",
    "a.view()",
    "a.view('x')",
    "a.repeat(1.5)",
    "a.sum('x')",
    "torch.sum(a, keepdim=True)",
    "torch.max(a, 1, wrong=1)",
    "torch.split(a, 1.5)",
    "a.split('x')",
    "a.split()",
    "a.unflatten(0)",
    "a.unflatten(0, 1.5)",
    "torch.threshold_(a, 'x', 0)",
    "torch.clip(a, 'x')",
    "a.clip_(1, 2, 3)",
    "a.absolute(1)",
    "torch.multiply(a, 'x')",
    "torch.diag(a, 1.5)",
    "a.diag('x')",
    "torch.trace(1)",
    "a.trace(1)",
    "a.trace(x=1)",
    "torch.quantile(v, 'x')",
    "torch.tensor_split(a, 1.5)",
    "torch.hsplit(a, indices_or_sections=2)",
    "a.where(1, a)",
    "v.cumsum_('x')",
    "v.deg2rad_(1)",
    "torch.hann_window('x')",
    "torch.exp(wrong=1)",
    "torch.mul(a, b, 3)",
    "torch.mm(a)",
    "a.random_(1, 2, 3)",
]

# what PyTorch's parser takes and minitorch does not compute
UNIMPLEMENTED = ["torch.mm(a, b, torch.float32)"]


def outcome(library, call):
    names = {
        "torch": library,
        "a": library.tensor([[1.0, 3.0], [2.0, 5.0]]),
        "b": library.tensor([[2.0, 1.0], [4.0, 3.0]]),
        "v": library.tensor([1.0, 2.0]),
        "o": library.zeros(2, 2),
        "s": library.tensor(0.0),
    }
    try:
        result = eval(call, names)
    except Exception as error:  # noqa: BLE001 - the error is what is compared
        return type(error), str(error)
    return str(result.dtype), result.tolist()


@pytest.mark.parametrize("call", ACCEPTED)
def test_a_form_that_pytorch_accepts_computes_the_same(call):
    theirs = outcome(torch, call)
    assert isinstance(theirs[0], str)
    assert outcome(minitorch, call) == theirs


@pytest.mark.parametrize("call", REFUSED)
def test_a_form_that_pytorch_refuses_raises_its_error(call):
    theirs = outcome(torch, call)
    assert issubclass(theirs[0], TypeError)
    assert outcome(minitorch, call) == theirs


@pytest.mark.parametrize("call", UNIMPLEMENTED)
def test_a_signature_without_a_row_says_that_it_is_not_implemented(call):
    kind, text = outcome(minitorch, call)
    assert kind is NotImplementedError
    assert text.endswith(") is not implemented")


def test_every_name_of_the_signatures_is_an_operators():
    folder = Path(minitorch.__file__).parent / "autograd"
    if not (folder / "derivatives").exists():
        pytest.skip("only in the source tree")
    from tools.records import load_records

    signatures = [parse_signature(text) for text in load_records(folder).signatures]
    assert signatures
    for signature in signatures:
        name = signature.name
        if signature.owner:
            assert signature.owner == "Tensor"
            assert hasattr(minitorch.Tensor, name), name
        elif not hasattr(tensor_methods, name):
            module, _, short = name.partition("_")
            assert (
                hasattr(minitorch, name)
                or hasattr(minitorch.Tensor, name + "_")
                or hasattr(getattr(minitorch, module), short)
            ), name


WRONG = [
    ((), {}),
    (("x",), {}),
    ((None,), {}),
    ((2.5,), {}),
    (("x",) * 6, {}),
    ((1, 2, 3, 4, 5, 6, 7, 8), {}),
    ((), {"wrong": 1}),
    (("T",), {"wrong": 1}),
    (("T", "x"), {}),
    (("T", None), {}),
    (("T", 1.5), {}),
    (("T", [1.5]), {}),
    (("T", "T", "x"), {}),
    (("T", 1, "x"), {}),
    (("T",), {"out": "x"}),
]


def wrong_call(library, function, args, kwargs):
    args = [library.tensor([[1.0, 3.0], [2.0, 5.0]]) if a == "T" else a for a in args]
    try:
        function(*args, **kwargs)
    except TypeError as error:
        return str(error)
    except Exception:  # noqa: BLE001 - the arguments are taken, and do not compute
        return None
    return None


def differences_of(ours, theirs, args, kwargs):
    expected = wrong_call(torch, theirs, args, kwargs)
    if expected is None:
        return
    actual = wrong_call(minitorch, ours, args, kwargs)
    if actual != expected:
        yield f"{ours} {args} {kwargs}\n    here:    {actual}\n    PyTorch: {expected}"


@pytest.mark.filterwarnings("ignore")
def test_wrong_arguments_of_every_function_raise_pytorchs_errors():
    found = []
    for name in tensor_methods.public_functions:
        theirs = getattr(torch, name, None)
        # what PyTorch writes in Python checks its arguments in its own ways
        if type(theirs) is type(torch.add) and name not in tensor_methods.namespaces:
            for args, kwargs in WRONG:
                found += differences_of(getattr(minitorch, name), theirs, args, kwargs)
    assert not found, "\n".join(found[:20])


# errors of a few methods that have no parser here
OTHERS = {"apply_", "cuda", "is_contiguous", "requires_grad_", "size", "stride", "new", "type"}
OTHERS |= {"is_distributed", "xpu"}


@pytest.mark.filterwarnings("ignore")
def test_wrong_arguments_of_every_method_raise_pytorchs_errors():
    found = []
    for name in sorted(set(dir(minitorch.Tensor)) - OTHERS - IN_C["Tensor"]):
        theirs = getattr(torch.Tensor, name, None)
        if name.startswith("_") or type(theirs) is not type(torch.Tensor.add):
            continue
        for args, kwargs in WRONG:
            args = args if args[:1] == ("T",) else ("T", *args)
            found += differences_of(getattr(minitorch.Tensor, name), theirs, args, kwargs)
    assert not found, "\n".join(found[:20])
