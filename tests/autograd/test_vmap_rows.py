"""vmap of every row of derivatives/ is what a loop over the samples gives, and so are its derivatives."""

import numpy as np
import pytest

import minitorch
from minitorch._functorch.batching.randomness import RANDOM
from minitorch.autograd import gradcheck
from tests.autograd.samples import ROWS, SAMPLES, SECOND_DERIVATIVE_RAISES, Dtype, Flags
from tests.autograd.test_derivatives import FORMULAS, operator
from tests.autograd.test_derivatives import _cases as gradient_cases

BATCH = 3
# vmap refuses what has another shape for each sample, and what PyTorch has no rule for
REFUSED = {
    "nonzero",
    "argwhere",
    "masked_select",
    "_unique_consecutive",
    "_unique2",
    "unique_dim",
    "dropout",
    "feature_dropout",
    "as_strided_scatter",
}
# these depend on the strides of a sample, which is compared where it is contiguous
OF_STRIDES = {
    "as_strided",
    "as_strided_copy",
    "as_strided_scatter",
    "as_strided_gather",
    "as_strided_backward",
    "view_as_complex",
    "view_as_complex_copy",
    "view_dtype",
    "view_copy_dtype",
    "_linalg_det",
    "_linalg_slogdet",
    "_linalg_solve_ex",
}


class Batch:
    """A sample's arguments with some of its tensors as batches."""

    def __init__(self, sample, chosen, dim):
        self.chosen, self.dim = chosen, dim
        self.leaves = []
        self.in_dims = []
        self.args = [self.read(value) for value in sample.args]
        self.kwargs = {key: self.read(value) for key, value in sample.kwargs.items()}

    def read(self, value):
        """A value, or the place of a tensor among `leaves`."""
        if isinstance(value, list):
            return [self.read(v) for v in value]
        if isinstance(value, Dtype):
            return getattr(minitorch, value.name)
        if isinstance(value, Flags):
            return tuple(int(v) for v in value.values)
        if not isinstance(value, np.ndarray):
            return value
        tensor = minitorch.from_numpy(np.array(value))
        index = len(self.leaves)
        if index in self.chosen:
            dim = 0 if self.dim == 0 else tensor.dim()
            tensor = minitorch.stack([varied(tensor, k) for k in range(BATCH)], dim)
            self.in_dims.append(dim)
        else:
            self.in_dims.append(None)
        self.leaves.append(tensor)
        return Leaf(index)

    def call(self, function, leaves):
        def fill(value):
            if isinstance(value, Leaf):
                return leaves[value.index]
            return [fill(v) for v in value] if isinstance(value, list) else value

        args = [fill(v) for v in self.args]
        result = function(*args, **{key: fill(v) for key, v in self.kwargs.items()})
        results = result if isinstance(result, (tuple, list)) else (result,)
        return tuple(r for r in results if isinstance(r, minitorch.Tensor))

    def mapped(self, function, leaves):
        def sample(*leaves):
            return self.call(function, leaves)

        return minitorch.vmap(sample, tuple(self.in_dims))(*leaves)

    def looped(self, function, leaves):
        samples = [
            self.call(
                function,
                [
                    leaf if dim is None else leaf.select(dim, k).clone()
                    for leaf, dim in zip(leaves, self.in_dims, strict=True)
                ],
            )
            for k in range(BATCH)
        ]
        return tuple(minitorch.stack(parts) for parts in zip(*samples, strict=True))


class Leaf:
    def __init__(self, index):
        self.index = index


def varied(tensor, k):
    """Another sample: a little smaller, or with its indices in another order."""
    if tensor.is_floating_point() or tensor.is_complex():
        return tensor * (1 - 0.02 * k)
    return tensor.flip(0) if k % 2 and tensor.dim() else tensor.clone()


def batches(sample, strided):
    count = len(Batch(sample, (), 0).leaves)
    chosen = [(k,) for k in range(count)]
    if count > 1:
        chosen.append(tuple(range(count)))
    dims = (0,) if strided else (0, -1)
    return [Batch(sample, c, dim) for c in chosen for dim in dims]


def close(ours, loop, what):
    assert len(ours) == len(loop), what
    for a, b in zip(ours, loop, strict=True):
        if a is None or b is None:
            # what does not depend may be None or zero
            assert all(t is None or not t.any() for t in (a, b)), what
            continue
        assert a.dtype == b.dtype and a.shape == b.shape, (what, a.dtype, b.dtype, a.shape, b.shape)
        np.testing.assert_allclose(
            a.numpy(force=True), b.numpy(force=True), rtol=1e-6, atol=1e-9, err_msg=str(what)
        )


def gradients(results, leaves, create_graph):
    """Of the results, each element with a weight of its own."""
    total = 0
    for result in results:
        if result.requires_grad:
            weight = minitorch.arange(1.0, result.numel() + 1, dtype=minitorch.float64).view(
                result.shape
            )
            product = result * weight
            total = total + (product.real if product.is_complex() else product).sum()
    if not isinstance(total, minitorch.Tensor):
        return None
    wanted = [leaf for leaf in leaves if leaf.requires_grad]
    return minitorch.autograd.grad(total, wanted, create_graph=create_graph, allow_unused=True)


def check(function, batch, name, order):
    floats = (minitorch.float64, minitorch.complex128)
    leaves = [
        leaf.detach().requires_grad_() if order and leaf.dtype in floats else leaf
        for leaf in batch.leaves
    ]
    what = (name, batch.in_dims)
    if ROWS[name].inplace_only and batch.in_dims[0] is None:
        with pytest.raises(RuntimeError, match="is not possible because there exists a Tensor"):
            batch.mapped(function, leaves)
        return
    masks = [k for k, leaf in enumerate(leaves) if leaf.dtype == minitorch.bool and k]
    if name.startswith("index") and any(k in batch.chosen for k in masks):
        with pytest.raises(
            RuntimeError, match="Attempting to batch over indexing with a boolean mask"
        ):
            batch.mapped(function, leaves)
        return
    if name == "linalg_lstsq" and 1 in batch.chosen and leaves[1].dim() == 2:
        # PyTorch's rule takes a vector of a sample for one row
        with pytest.raises(RuntimeError, match="input.size\\(-2\\) should match other.size"):
            batch.mapped(function, leaves)
        return
    if name == "narrow_tensor" and 1 in batch.chosen:
        with pytest.raises(RuntimeError, match="It looks like you're calling .item()"):
            batch.mapped(function, leaves)
        return
    if name == "one_hot" and -1 in [*batch.args[1:2], *batch.kwargs.values(), -1][:1]:
        with pytest.raises(RuntimeError, match="please provide an explicit positive num_classes"):
            batch.mapped(function, leaves)
        return
    try:
        loop = batch.looped(function, leaves)
    except (RuntimeError, NotImplementedError, IndexError, ValueError, TypeError):
        return
    close(batch.mapped(function, leaves), loop, what)
    if not order:
        return
    try:
        wanted = gradients(loop, leaves, order > 1)
    except NotImplementedError:
        return
    if wanted is None:
        return
    mapped = batch.mapped(function, leaves)
    found = gradients(mapped, leaves, order > 1)
    close(found, wanted, (*what, "gradient"))
    if order == 1:
        return
    wanted = [g for g in wanted if g is not None and g.requires_grad]
    found = [g for g in found if g is not None and g.requires_grad]
    if wanted:
        second = gradients(wanted, leaves, False)
        # a rule may be linear where the operator's own derivative has zeros
        close(gradients(found, leaves, False) or [None] * len(second), second, (*what, "second"))


@pytest.mark.parametrize("name", [n for n in ROWS if n not in RANDOM and n not in REFUSED])
def test_vmap_of_a_row_is_a_loop(name):
    row = ROWS[name]
    for sample in SAMPLES[name]:
        order = 0
        if row.differentiable and not row.raises and sample.smooth:
            order = 1 if name in SECOND_DERIVATIVE_RAISES else 2
        for batch in batches(sample, name in OF_STRIDES):
            check(operator(row), batch, name, order)


@pytest.mark.parametrize("name", FORMULAS)
def test_gradients_of_several_vectors_are_those_of_each(name):
    for case in gradient_cases(name):
        assert gradcheck(
            case, case.inputs, check_batched_grad=True, fast_mode=True, nondet_tol=1e-12
        )
