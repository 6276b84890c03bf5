"""What `vmap` refuses, with a text of its own, in the batching rules and below them.

Each line is a program: `x` is a sample of a batch, `y` and `z` are the same for all samples.
"""

import copy
import importlib
import io
import math
import pickle

import numpy as np
import pytest

from tests.both import compare


def refused(torch, line, apply, **options):
    """What a program raises inside of `apply`, and that nothing is left of the levels."""
    names = {"torch": torch, "F": torch.nn.functional, "y": torch.arange(2.0), "z": torch.zeros(2)}
    names.update(math=math, np=np, copy=copy, pickle=pickle, io=io)
    try:
        apply(lambda x: eval(line, {**names, "x": x}), **options)(torch.arange(4.0).view(2, 2) / 4)
    except Exception as error:
        rest = torch.func.grad(lambda x: x**2)(torch.tensor(3.0))
        return type(error).__name__, str(error), rest, torch.rand(2).shape
    raise AssertionError("nothing was raised")


ELEMENTS = """
x.item()
int(x.sum())
complex(x.sum())
[1, 2, 3][x.long().sum()]
range(x.long().sum())
math.sqrt(x.sum())
x if x.sum() > 0 else -x
x if x > 0 else -x
torch.is_nonzero(x.sum())
torch.equal(x, x)
torch.allclose(x, x)
x in x
format(x.sum(), ".2f")
torch._assert(x.sum() > 0, "foo")
torch._assert_async(x.sum())
torch._assert_async(x.sum(), "foo")
torch.as_tensor([x.sum(), x.sum()])
"""
DATA = """
x.data
setattr(x, "data", y)
x.storage()
x.untyped_storage()
x.data_ptr()
x.tolist()
x.numpy()
np.asarray(x)
x.__dlpack__()
x.share_memory_()
copy.deepcopy(x)
pickle.dumps(x)
torch.save(x, io.BytesIO())
x.apply_(abs)
x.map_(x, max)
x.is_set_to(y)
x.is_pinned()
x.pin_memory()
x.requires_grad_()
x.sum().backward()
torch.autograd.backward(x.sum())
torch.autograd.functional.jacobian(torch.sin, x)
"""
FORMATS = """
x.is_contiguous(memory_format=torch.channels_last)
x.is_contiguous(memory_format=torch.channels_last_3d)
x.is_contiguous(memory_format=torch.preserve_format)
x.contiguous(memory_format=torch.channels_last)
x.contiguous(memory_format=torch.preserve_format)
x.clone(memory_format=torch.channels_last)
x.resize_(2, memory_format=torch.channels_last)
x.as_strided((5,), (1,))
x.as_strided((2,), (1,), 1)
x.as_strided((2,), (1, 1))
x.as_strided_scatter(x, (2,), (1,))
"""
DYNAMIC = """
torch.nonzero(x)
torch.nonzero(x, as_tuple=True)
torch.where(x > 0)
torch.unique(x)
torch.unique(x, dim=0)
torch.unique_consecutive(x)
torch.masked_select(x, x > 0)
x[x > 0]
y[x > 0]
x.__setitem__(x > 0, 1)
x.index_put_((x > 0,), x)
F.one_hot(x.long())
F.one_hot(x.long(), 0)
F.one_hot(x, 3)
F.one_hot(x.int(), 3)
x.tensor_split(x.long())
"""
WRITES = """
y.add_(x)
y.mul_(x)
y.copy_(x)
y.fill_(x.sum())
y.masked_fill_(x > 0, 1)
y.masked_fill_(y > 0, x.sum())
y.index_add_(0, torch.tensor([0]), x[:1])
y.index_fill_(0, x.long(), 1.0)
y.scatter_(0, torch.tensor([0]), x)
y.scatter_add_(0, torch.tensor([0]), x)
y.put_(torch.tensor([0]), x[:1])
y.addmm_(x, x)
y.lerp_(x, 0.5)
y.remainder_(x)
y.logical_and_(x)
y.nextafter_(x)
y.__ipow__(x)
y.__setitem__(0, x[0])
y.__setitem__(x > 0, 1)
y.resize_as_(x)
y.set_(x)
F.embedding(x.long(), y[None], max_norm=1.0)
F.instance_norm(x[None, ..., None].expand(1, 2, 3), y, y)
"""
LISTS = """
torch._foreach_add([x], [y])
torch._foreach_add([x], 1.0)
torch._foreach_mul([x], [2.0])
torch._foreach_mul_([x], y[0])
torch._foreach_sin_([x])
torch._foreach_addcmul_([y], [x], [x])
torch._foreach_addcdiv([y], [x], [x], [1.0])
torch._foreach_lerp([x], [x], 0.5)
torch._foreach_norm([x])
torch._foreach_max([x])
torch._foreach_zero_([x])
torch.chain_matmul(x, x)
torch.nn.utils.rnn.pad_sequence([x, x])
"""
RANDOM = """
torch.rand(2)
torch.randperm(3)
torch.normal(x, 1.0)
torch.rand_like(y)
torch.bernoulli(x)
x.bernoulli_(y)
y.bernoulli_(x)
y.uniform_()
y.random_(1, 3)
x.exponential_()
torch.poisson(x)
torch.multinomial(x, 1)
F.dropout(x)
F.dropout2d(x)
F.rrelu(x, training=True)
F.rrelu(x, training=True, inplace=True)
F.gumbel_softmax(x)
torch._standard_gamma(x)
torch._sample_dirichlet(x)
"""
RANDOM_OUT = """
torch.rand(2, out=z)
torch.randn(2, out=x)
torch.randint(3, (2,), out=z)
torch.randperm(3, out=z)
torch.normal(0.0, 1.0, (2,), out=z)
torch.normal(0.0, y, out=z)
torch.normal(x, x, out=z)
torch.normal(x, 1.0, out=x)
torch.bernoulli(y, out=z)
torch.multinomial(x, 1, out=z.long())
"""
OUT = """
torch.sin(x, out=z)
torch.sin(x, out=x)
torch.add(x, 1, out=z)
torch.pow(x, 2, out=z)
torch.pow(2, x, out=z)
torch.eq(x, 1, out=z)
torch.clamp(x, x, x, out=z)
torch.lerp(x, x, 0.5, out=z)
torch.round(x, decimals=1, out=z)
torch.sum(x, 0, out=z)
torch.mean(x, 0, out=z)
torch.prod(x, 0, out=z)
torch.std(x, 0, out=z)
torch.std(x, 0, correction=0, out=z)
torch.max(x, 0, out=(z, z.long()))
torch.max(x, x, out=z)
torch.min(y, 0, out=(x, x.long()))
torch.sort(x, out=(z, z.long()))
torch.sort(x, stable=True, out=(z, z.long()))
torch.topk(x, 1, out=(z, z.long()))
torch.median(x, 0, out=(z, z.long()))
torch.softmax(x, 0, out=z)
torch.where(x > 0, x, x, out=z)
torch.nonzero(x, out=z.long())
torch.quantile(x, 0.5, out=z)
torch.quantile(x, y, out=z)
torch.any(x, 0, out=z.bool())
torch.cat([x, x], out=z)
torch.hstack([x, x], out=z)
torch.matmul(x, x, out=z)
torch.outer(x, x, out=z)
torch.diag(x, out=z)
torch.complex(x, x, out=z)
torch.bucketize(x, y, out=z.long())
torch.view_copy(x, (2,), out=z)
torch.split_copy(x, 1, out=[z, z])
torch.linalg.inv(x[None], out=z)
torch.linalg.svd(x[None], out=(z, z, z))
torch.linalg.norm(x, out=z)
torch.fft.fft(x, out=z)
torch.special.zeta(x, x, out=z)
torch.zeros(2, out=x)
torch.empty(2, out=x)
torch.full((2,), 1.0, out=x)
torch.arange(2, out=x)
torch.arange(0, 2, out=x)
torch.linspace(0, 1, 2, out=x)
torch.linspace(y[0], 1, 2, out=x)
torch.logspace(0, 1, 2, out=x)
torch.eye(2, out=x)
torch.eye(2, 3, out=x)
"""


VECTORS_AND_NUMBERS = """
torch.bucketize(x, y.expand(2, 2))
torch.bucketize(y, x.expand(2, 2))
torch.bucketize(x, x[0])
x[0].view(torch.float64)
x[0].view(torch.int16)
"""

WRONG_CALLS = """
y.gather(0, x.long(), out=y)
y.ldexp(x, out=z)
torch.arctan2(y, x, out=...)
torch.add(x, y, out=3)
y.less_(1, wrong=x)
y.clip_(x, 1j, wrong=2)
"""


def lines(*texts):
    return [line for text in texts for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    "line",
    lines(
        *(ELEMENTS, DATA, FORMATS, DYNAMIC, WRITES, LISTS),
        *(RANDOM, RANDOM_OUT, OUT, VECTORS_AND_NUMBERS, WRONG_CALLS),
    ),
)
def test_what_is_refused_in_a_batch(line):
    compare(lambda torch: refused(torch, line, torch.vmap))


@pytest.mark.parametrize("randomness", ["same", "different"])
@pytest.mark.parametrize("line", lines(RANDOM_OUT, "F.rrelu(x, training=True)"))
def test_what_is_refused_whatever_the_randomness(line, randomness):
    compare(lambda torch: refused(torch, line, torch.vmap, randomness=randomness))


@pytest.mark.parametrize("line", lines("y.uniform_()", "y.bernoulli_(x)", "y.normal_()"))
def test_numbers_that_differ_have_no_place(line):
    compare(lambda torch: refused(torch, line, torch.vmap, randomness="different"))


@pytest.mark.parametrize("line", lines("torch.bernoulli(x)", "x.bernoulli_(x)", "x.multinomial(1)"))
def test_equal_numbers_for_samples_that_differ(line):
    compare(lambda torch: refused(torch, line, torch.vmap, randomness="same"))


def test_results_to_write_to_that_have_no_batch():
    def program(torch):
        y, z = torch.arange(2.0), torch.zeros(2)

        def f(x):
            torch.sin(y, out=z)
            torch.arange(2, out=z[:2])
            values = torch.sort(y, out=(z.clone(), z.long()))
            return x + z, x + values[0]

        return torch.vmap(f)(torch.ones(3, 2))

    compare(program)


def test_a_batch_is_seen_through_a_gradient():
    def program(torch):
        held = torch.zeros(2)

        def f(x):
            return torch.sin(x, out=held).sum()

        try:
            torch.vmap(torch.func.grad(f))(torch.ones(2, 2))
        except RuntimeError as error:
            return type(error).__name__, held
        return held

    compare(program)


@pytest.mark.parametrize("inference", [True, False])
def test_a_number_is_taken_in_inference_mode_of_a_derivative(inference):
    def program(torch):
        def f(x):
            with torch.inference_mode(inference):
                return (x * x.sum().item()).sum()

        return torch.vmap(torch.func.grad(f))(torch.ones(2, 3))

    compare(program)


OLDER = """
x.item()
bool(x.sum())
x if x.sum() > 0 else -x
torch.rand(2)
torch.rand(2, out=z)
torch.normal(y, y, out=z)
x.bernoulli()
y.mul_(x)
torch.sin(x, out=z)
torch.max(x, 0, out=(z, z.long()))
x.nonzero()
x.unique()
x.as_strided((2, 2), (1,))
x.as_strided((5,), (1,))
x.clone(memory_format=torch.channels_last)
x.is_contiguous(memory_format=torch.channels_last)
x.storage()
x.data_ptr()
x.sum().backward()
x.mm(x)
x[None].mm(y)
x.mv(x)
x.bmm(x)
x.dot(x[None])
x.movedim(0, 3)
x.select(1, 0)
x.chunk(0)
torch.stack([x, x], 3)
z.fill_(x[0])
y.clone().fill_(x.sum())
"""


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("line", lines(OLDER))
def test_what_the_older_vmap_refuses(line):
    def program(torch):
        older = importlib.import_module(f"{torch.__name__}._vmap_internals")
        return refused(torch, line, older._vmap)

    compare(program)


def test_a_batch_that_is_not_in_front_in_memory():
    def program(torch):
        older = importlib.import_module(f"{torch.__name__}._vmap_internals")
        return refused(torch, "x.as_strided((2,), (1,))", older._vmap, in_dims=1)

    compare(program)


def test_a_class_beyond_the_last_one_is_none():
    def program(torch):
        one_hot = torch.nn.functional.one_hot
        x = torch.tensor([[0, 2], [7, -1]])
        return [torch.vmap(lambda x: one_hot(x, 3), in_dims=dim)(x) for dim in (0, 1)]

    compare(program)


ESCAPED = """
kept.add(1)
kept.mul(kept)
kept.sum()
kept.sin_()
y.mul_(kept)
y.copy_(kept)
setattr(kept, "data", y)
kept.data
kept.sum().backward()
"""


@pytest.mark.parametrize("line", lines(ESCAPED))
def test_a_sample_that_has_escaped(line):
    def program(torch):
        kept = []
        torch.vmap(lambda x: kept.append(x) or x)(torch.ones(2, 2))
        return eval(line, {"torch": torch, "kept": kept[0], "y": torch.zeros(2)})

    compare(program)


EMPTY = """
torch.isclose(x, x)
torch.histc(x)
x.clone().put_(torch.tensor([0]), torch.ones(1))
"""


@pytest.mark.parametrize("line", lines(EMPTY))
def test_nothing_is_called_for_each_of_no_samples(line):
    def program(torch):
        f = eval(f"lambda x: {line}", {"torch": torch})
        return torch.vmap(f)(torch.ones(0, 3))

    compare(program)


def test_a_program_forbids_to_call_for_each_sample():
    def program(torch):
        torch._C._functorch._set_vmap_fallback_enabled(False)
        try:
            return torch.vmap(torch.histc)(torch.ones(2, 3))
        finally:
            torch._C._functorch._set_vmap_fallback_enabled(True)

    compare(program)


# what a level of derivatives refuses; y is the same outside of it
DERIVATIVES = """
x.item()
x.sum().item()
x.numpy()
x.storage()
x.data_ptr()
x.requires_grad_()
x.retain_grad()
x.sin().retain_grad()
x.sum().backward()
setattr(x, "data", y)
x.clone().set_(y)
y.set_(x)
y.add_(x)
y.copy_(x)
copy.deepcopy(x)
pickle.dumps(x)
torch.sin(x, out=z)
torch.sin(y, out=x)
torch.sort(x, out=(z, z.long()))
torch.autograd.functional.jacobian(torch.sin, x)
torch.autograd.functional.jvp(torch.sin, x, y)
torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=True)
torch.nn.functional.linear(x.sum(), y)
torch.nn.functional.linear(y, x.sum())
"""


@pytest.mark.parametrize("transform", ["grad", "vjp", "jacrev", "jvp", "jacfwd"])
@pytest.mark.parametrize("line", lines(DERIVATIVES))
def test_what_a_level_of_derivatives_refuses(line, transform):
    def program(torch):
        names = {"torch": torch, "y": torch.arange(2.0), "z": torch.zeros(2)}
        names.update(copy=copy, pickle=pickle)

        def f(x):
            result = eval(line, {**names, "x": x})
            return result.sum() if isinstance(result, torch.Tensor) else x.sum()

        x = torch.ones(2)
        call = getattr(torch.func, transform)
        if transform == "jvp":
            found = call(f, (x,), (x,))
        elif transform == "vjp":
            found = call(f, x)[1](torch.ones(()))
        else:
            found = call(f)(x)
        return found, names["y"], torch.autograd.forward_ad._current_level

    compare(program)


@pytest.mark.parametrize("transform", ["vmap", "jvp", "vmap of jvp"])
def test_a_copy_of_another_dtype_is_refused_by_the_operator_in_place(transform):
    def program(torch):
        def f(x):
            return x.clone().index_copy_(0, torch.tensor([0]), x[:1].double())

        def tangent(x):
            return torch.func.jvp(f, (x,), (x,))

        x = torch.ones(2, 3)
        return (
            tangent(x)
            if transform == "jvp"
            else torch.vmap(f if transform == "vmap" else tangent)(x)
        )

    compare(program)


def test_boundaries_are_a_vector():
    compare(
        lambda torch: torch.vmap(lambda b: torch.bucketize(b, torch.tensor(1.0)))(torch.ones(2))
    )


@pytest.mark.parametrize("name", ["tril", "triu"])
@pytest.mark.parametrize("shape", [(3,), (3, 2), (2, 3, 2)])
def test_the_batch_counts_as_a_dimension_of_the_triangle(name, shape):
    def program(torch):
        x = torch.ones(shape)
        older = importlib.import_module(f"{torch.__name__}._vmap_internals")._vmap
        outcomes = []
        for apply in (torch.vmap, older):
            try:
                outcomes.append(apply(getattr(torch, name))(x))
            except RuntimeError as error:
                outcomes.append(str(error))
        return outcomes

    compare(program)


@pytest.mark.parametrize("name", ["tril", "triu"])
def test_the_triangle_of_a_batch_of_numbers_in_a_batch_is_an_error(name):
    compare(lambda torch: torch.vmap(torch.vmap(getattr(torch, name)))(torch.ones(3, 3)))


@pytest.mark.parametrize("indices", [[0], [0.0]])
@pytest.mark.parametrize("older", [False, True])
def test_a_table_with_one_dimension_is_found_before_its_indices_are_looked_at(indices, older):
    def program(torch):
        apply = importlib.import_module(f"{torch.__name__}._vmap_internals")._vmap
        embedding = torch.nn.functional.embedding
        return (apply if older else torch.vmap)(lambda x: embedding(torch.tensor(indices), x))(
            torch.ones(2, 3)
        )

    compare(program)
