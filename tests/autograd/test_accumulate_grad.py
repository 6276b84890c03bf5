"""Accumulation of a gradient at its leaf: each row of the table in accumulate_grad.pyx, against PyTorch."""

import gc
import itertools
import warnings
import weakref

import pytest

import minitorch
from minitorch.core import allocator
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


@pytest.fixture(autouse=True, scope="module")
def little_for_the_collector():
    """What is there before these tests need not be looked at by each of their collections."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


LEAVES = {
    "row_major": lambda torch: torch.zeros(4, 6),
    "transposed": lambda torch: torch.zeros(6, 4).t(),
    "columns_with_gaps": lambda torch: torch.zeros(4, 12)[:, ::2],
    "rows_with_gaps": lambda torch: torch.zeros(8, 6)[::2],
    "transposed_with_gaps": lambda torch: torch.zeros(6, 8)[:, ::2].t(),
    "expanded": lambda torch: torch.zeros(6).expand(4, 6),
    "overlapping": lambda torch: torch.zeros(9).as_strided((4, 6), (1, 1)),
    "permuted": lambda torch: torch.zeros(3, 4, 2).permute(1, 2, 0),
    "single": lambda torch: torch.zeros(4, 1, 6),
    "single_with_a_stride": lambda torch: torch.zeros(24).as_strided((4, 1, 6), (6, 99, 1)),
    "channels_last": lambda torch: torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "empty": lambda torch: torch.zeros(0, 3),
    "scalar": lambda torch: torch.zeros(()),
}

ORDERS = {
    "as_the_leaf": lambda t: t,
    "row_major": lambda t: t.contiguous(),
    "reversed": lambda t: (
        t.permute(*reversed(range(t.dim()))).contiguous().permute(*reversed(range(t.dim())))
    ),
}


def numbers(torch, like):
    return torch.arange(1.0, like.numel() + 1).reshape(like.shape)


def about(x, pointer=None):
    """What a program can find out about a gradient."""
    g = x.grad
    node = None if g.grad_fn is None else g.grad_fn.name()
    return g, g.stride(), g.storage_offset(), g._version, node, pointer and g.data_ptr() == pointer


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("leaf", LEAVES)
def test_layout_of_a_first_and_a_second_gradient(leaf, order, create_graph):
    def program(torch):
        x = LEAVES[leaf](torch).requires_grad_()
        factor = ORDERS[order](numbers(torch, x))
        pointers = []
        x.register_hook(lambda g: pointers.append(g.data_ptr()))
        (x * factor).sum().backward(create_graph=create_graph)
        first = about(x, pointers[0])
        before = x.grad
        (x * factor * 2).sum().backward(create_graph=create_graph)
        return first, about(x), x.grad is before

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("leaf", LEAVES)
def test_an_expanded_gradient_is_written_out(leaf, create_graph):
    def program(torch):
        x = LEAVES[leaf](torch).requires_grad_()
        x.sum().backward(create_graph=create_graph)
        first = about(x)
        x.sum().backward(create_graph=create_graph)
        return first, about(x)

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("leaf", LEAVES)
def test_two_leaves_never_share_one_gradient(leaf, create_graph):
    def program(torch):
        x, y = (LEAVES[leaf](torch).requires_grad_() for _ in range(2))
        ((x + y) * numbers(torch, x)).sum().backward(create_graph=create_graph)
        apart = x.grad.data_ptr() != y.grad.data_ptr() or not x.numel()
        with torch.no_grad():
            x.grad.mul_(3)
        return apart, about(x), about(y)

    compare(program)


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("leaf", LEAVES)
def test_a_gradient_that_the_program_holds_is_copied(leaf, create_graph):
    def program(torch):
        x = LEAVES[leaf](torch).requires_grad_()
        y = x.clone()
        given = numbers(torch, x)
        y.backward(given, create_graph=create_graph)
        result = about(x), x.grad.data_ptr() == given.data_ptr() and x.numel() > 0
        with torch.no_grad():
            x.grad.mul_(2)
        return result, given

    compare(program)


@pytest.mark.parametrize("mode", ["no_grad", "enable_grad"])
def test_under_create_graph_the_mode_that_a_hook_sets_does_not_count(mode):
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        kept = []

        def hook(g):
            kept.append(g)
            with getattr(torch, mode)():
                return g * 2

        x.register_hook(hook)
        (x * x).sum().backward(create_graph=True)
        return about(x), kept[0].grad_fn.name(), x.grad.data_ptr() == kept[0].data_ptr()

    compare(program)


@pytest.mark.parametrize("leaf", ["row_major", "columns_with_gaps", "transposed"])
def test_recorded_gradients_when_grad_mode_is_off_at_the_leaf(leaf):
    """A hook can switch recording off for the rest of the backward."""

    def program(torch):
        x, y = (LEAVES[leaf](torch).requires_grad_() for _ in range(2))

        def hook(g):
            torch._C._set_grad_enabled(False)
            return None

        total = x + y
        total.register_hook(hook)
        (total * numbers(torch, x)).sum().backward(create_graph=True)
        first = x.grad.stride(), y.grad.stride(), x.grad.data_ptr() == y.grad.data_ptr()
        x.grad.zero_()
        return first, torch.is_grad_enabled(), y.grad

    compare(program)


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("order", ORDERS)
def test_without_the_layout_policy_a_gradient_keeps_its_strides(leaf, order):
    def program(torch):
        x = LEAVES[leaf](torch).requires_grad_()
        factor = ORDERS[order](numbers(torch, x))
        pointers = []
        x.register_hook(lambda g: pointers.append(g.data_ptr()))
        with torch.autograd.enforce_grad_layout_policy(False):
            (x * factor).sum().backward()
        return about(x, pointers[0])

    if not hasattr(pytest.importorskip("torch").autograd, "enforce_grad_layout_policy"):
        pytest.skip("PyTorch has no such policy yet")
    compare(program)


@like_pytorch
def test_a_held_gradient_is_added_to_in_place(torch):
    x = torch.ones(3, requires_grad=True)
    x.sum().backward()
    held, version = x.grad, x.grad._version
    (2 * x).sum().backward()
    return held, x.grad is held, held._version - version


@like_pytorch
def test_a_recorded_sum_is_a_new_tensor(torch):
    x = torch.ones(3, requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    held = x.grad
    (x * x * x).sum().backward(create_graph=True)
    return held, x.grad is held, x.grad, [n and n.name() for n, _ in x.grad.grad_fn.next_functions]


@like_pytorch
def test_order_of_the_operands_of_a_recorded_sum(torch):
    x = torch.ones(3, requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    (x.exp()).sum().backward(create_graph=True)
    return [n and n.name() for n, _ in x.grad.grad_fn.next_functions]


@like_pytorch
def test_a_write_to_a_gradient_that_is_saved_is_noticed(torch):
    x = torch.ones(3, requires_grad=True)
    x.sum().backward()
    w = torch.ones(3, requires_grad=True)
    y = w * x.grad
    x.sum().backward()
    y.sum().backward()


@like_pytorch
def test_a_recorded_gradient_is_a_copy(torch):
    x = torch.ones(3, requires_grad=True)
    seen = []
    x.register_hook(seen.append)
    (x * x).sum().backward(create_graph=True)
    return seen[0] is x.grad, seen[0].data_ptr() == x.grad.data_ptr(), x.grad.grad_fn.name()


@like_pytorch
def test_a_leaf_that_requires_no_grad_since_gets_none(torch):
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    z = (x * y).sum()
    x.requires_grad_(False)
    z.backward()
    return x.grad, y.grad


@like_pytorch
def test_hooks_after_accumulation_run_in_order_and_may_remove_themselves(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    handles = []

    def first(t):
        log.append(("first", t.grad.tolist()))
        handles[0].remove()

    handles.append(x.register_post_accumulate_grad_hook(first))
    x.register_post_accumulate_grad_hook(lambda t: log.append(("second", t is x, t.grad.tolist())))
    x.sum().backward()
    x.sum().backward()
    return log


@like_pytorch
def test_a_hook_after_accumulation_runs_without_a_gradient_too(torch):
    class NoGradient(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum()

        @staticmethod
        def backward(ctx, g):
            return None

    x = torch.ones(2, requires_grad=True)
    log = []
    x.register_post_accumulate_grad_hook(lambda t: log.append(t.grad))
    NoGradient.apply(x).backward()
    return log, x.grad


@pytest.mark.parametrize("what", ["the leaf", "another", "a number"])
def test_what_a_hook_after_accumulation_may_return(what):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        result = {"the leaf": x, "another": torch.ones(2), "a number": 3}[what]
        x.register_post_accumulate_grad_hook(lambda t: result)
        x.sum().backward()
        return x.grad

    compare(program)


@like_pytorch
def test_a_hook_after_the_sink_shares_its_gradient_only_while_it_holds_it(torch):
    x = torch.zeros(3, requires_grad=True)
    sink = x.expand_as(x).grad_fn.next_functions[0][0]
    seen, pointers = [], []
    sink.register_hook(lambda inputs, outputs: pointers.append(outputs[0].data_ptr()))
    (x * torch.arange(3.0)).sum().backward()
    stolen = pointers[0] == x.grad.data_ptr()
    x.grad = None
    sink.register_hook(lambda inputs, outputs: seen.append(outputs[0]))
    (x * torch.arange(3.0)).sum().backward()
    return stolen, x.grad, seen[0].data_ptr() == x.grad.data_ptr()


@like_pytorch
def test_a_prehook_of_the_sink_that_keeps_the_gradient(torch):
    x = torch.zeros(3, requires_grad=True)
    sink = x.expand_as(x).grad_fn.next_functions[0][0]
    kept = []
    sink.register_prehook(lambda outputs: kept.append(outputs[0]))
    (x * torch.arange(3.0)).sum().backward()
    apart = kept[0].data_ptr() != x.grad.data_ptr()
    x.grad.mul_(2)
    return apart, kept[0], x.grad


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("leaf", LEAVES)
def test_a_warning_of_an_assigned_gradient_in_another_layout(leaf, order, create_graph):
    def program(torch):
        x = LEAVES[leaf](torch).requires_grad_()
        x.grad = ORDERS[order](numbers(torch, x))
        torch.set_warn_always(True)
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                (x * 2).sum().backward(create_graph=create_graph)
        finally:
            torch.set_warn_always(False)
        texts = [str(w.message).split(" (Triggered")[0] for w in caught]
        return x.grad, [t for t in texts if t.startswith("grad and param")]

    compare(program)


def give(torch, make):
    """A Function whose backward returns what `make` gives, which nobody else holds; and where that is."""

    class Give(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sum()

        @staticmethod
        def backward(ctx, g):
            made = make(ctx.saved_tensors[0])
            pointers.append(made.data_ptr())
            return made

    pointers = []
    return Give.apply, pointers


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("leaf", LEAVES)
def test_a_gradient_with_the_very_geometry_of_the_leaf(leaf, create_graph):
    def program(torch):
        x = LEAVES[leaf](torch).requires_grad_()
        function, pointers = give(torch, lambda saved: saved.detach())
        function(x).backward(create_graph=create_graph)
        return about(x, pointers[0])

    compare(program)


STRIDES = [
    (6, 6, 1),
    (6, 1, 1),
    (6, 99, 1),
    (6, 0, 1),
    (1, 4, 4),
    (0, 6, 1),
    (6, 6, 0),
    (1, 0, 4),
    (12, 6, 2),
]


@pytest.mark.parametrize("leaf", [(6, 6, 1), (6, 99, 1), (6, 0, 1), (1, 4, 4), (12, 6, 1)])
@pytest.mark.parametrize("strides", STRIDES)
def test_strides_of_single_elements_and_of_expanded_dimensions(strides, leaf):
    def program(torch):
        x = torch.zeros(200).as_strided((4, 1, 6), leaf).requires_grad_()
        function, pointers = give(
            torch, lambda saved: torch.arange(200.0).as_strided((4, 1, 6), strides)
        )
        function(x).backward()
        return about(x, pointers[0])

    compare(program)


@pytest.mark.parametrize("dim", range(3))
@pytest.mark.parametrize("kind", ["computed", "leaf"])
def test_tensors_that_change_places_while_they_have_a_history(kind, dim):
    def program(torch):
        x = torch.arange(6.0).requires_grad_()
        a = (x * 1).split(2)[dim]
        b = x[:2].exp() if kind == "computed" else torch.ones(2, requires_grad=True)
        swap = torch.utils.swap_tensors
        before = a._is_view(), b._is_view(), a.output_nr, b.output_nr
        swap(a, b)
        after = a._is_view(), b._is_view(), a.output_nr, b.output_nr
        (b * 5).sum().backward(retain_graph=True)
        first = x.grad
        (a * 7).sum().backward()
        return before, after, first, x.grad, a.is_leaf and a.grad

    compare(program)


def test_sinks_go_along_with_leaves_that_change_places():
    torch = minitorch
    from minitorch.autograd.swap_tensors import _swap_tensor_impl

    x, y = torch.ones(2, requires_grad=True), torch.full((2,), 5.0, requires_grad=True)
    of_x, of_y = x * 2, y * 3
    _swap_tensor_impl(x, y)
    of_x.sum().backward()
    assert y.grad.tolist() == [2, 2] and x.grad is None
    of_y.sum().backward()
    assert x.grad.tolist() == [3, 3] and y.grad.tolist() == [2, 2]
    (x * 10).sum().backward()
    assert x.grad.tolist() == [13, 13]


# ---- sparse gradients


def embedding(torch, weight, *indices, scale=1.0):
    functional = torch.nn.functional
    return sum(
        scale * functional.embedding(torch.tensor(i), weight, sparse=True).sum() for i in indices
    )


@pytest.mark.parametrize("then", ["sparse", "dense", "both_leaves"])
@pytest.mark.parametrize("first", ["sparse", "dense"])
def test_sparse_and_dense_gradients_of_one_leaf(first, then):
    def program(torch):
        w = torch.ones(4, 2, requires_grad=True)
        give = {
            "sparse": lambda: embedding(torch, w, [1, 3], [1, 1]),
            "dense": lambda: (w * 2).sum(),
            "both_leaves": lambda: embedding(torch, w, [0]) + w.sum(),
        }
        give[first]().backward()
        held, was = w.grad, w.grad.is_sparse
        value = w.grad.to_dense().clone() if was else w.grad.clone()
        give[then]().backward()
        now = w.grad
        return (
            value,
            was,
            now.is_sparse,
            now is held,
            now.to_dense() if now.is_sparse else now,
            torch.is_grad_enabled(),
        )

    compare(program)


@like_pytorch
def test_grad_mode_stays_off_after_a_sparse_gradient(torch):
    w = torch.ones(4, 2, requires_grad=True)
    loss = embedding(torch, w, [1])
    seen = []
    w.register_post_accumulate_grad_hook(lambda t: seen.append(torch.is_grad_enabled()))
    loss.backward()
    with torch.no_grad():
        loss = None
        with torch.enable_grad():
            loss = embedding(torch, w, [2])
        loss.backward()
        seen.append(torch.is_grad_enabled())
    return seen


@pytest.mark.parametrize("held", [False, True])
def test_a_sparse_gradient_of_two_leaves_or_one_that_is_held_is_not_shared(held):
    def program(torch):
        kept = []

        class Give(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                return a.sum() + b.sum()

            @staticmethod
            def backward(ctx, g):
                i, v = torch.tensor([[1, 2]]), torch.tensor([3.0, 4.0])
                s = torch.sparse_coo_tensor(i, v, (4,))
                if held:
                    kept.append(s)
                return s, s

        a, b = torch.ones(4, requires_grad=True), torch.ones(4, requires_grad=True)
        Give.apply(a, b).backward()
        shared = a.grad._values().data_ptr() == b.grad._values().data_ptr()
        a.grad._values().mul_(10)
        return shared, a.grad.to_dense(), b.grad.to_dense(), [k.to_dense() for k in kept]

    compare(program)


# ---- classes with __torch_dispatch__


@pytest.mark.parametrize("leaf", ["row_major", "transposed", "columns_with_gaps"])
def test_gradients_under_a_dispatch_mode(leaf):
    def program(torch):
        import importlib

        mode_class = importlib.import_module(
            f"{torch.__name__}.utils._python_dispatch"
        ).TorchDispatchMode

        class Log(mode_class):
            def __init__(self):
                super().__init__()
                self.log = []

            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                self.log.append(str(func))
                return func(*args, **(kwargs or {}))

        x, y = (LEAVES[leaf](torch).requires_grad_() for _ in range(2))
        loss = ((x + y) * numbers(torch, x)).sum()
        with Log():
            loss.backward(retain_graph=True)
        first = x.grad.stride(), y.grad.stride(), x.grad.data_ptr() == y.grad.data_ptr()
        with Log():
            loss.backward()
        return first, x.grad, y.grad

    compare(program)


# ---- sinks


@like_pytorch
def test_a_leaf_has_one_sink_as_long_as_something_holds_it(torch):
    x = torch.ones(2, requires_grad=True)
    a, b = x * 2, x * 3
    sinks = [t.grad_fn.next_functions[0][0] for t in (a, b)]
    same = sinks[0] is sinks[1]
    node = torch.autograd.graph.get_gradient_edge(x).node is sinks[0]
    return same, node, sinks[0].variable is x


@like_pytorch
def test_a_leaf_whose_graph_is_gone_gets_a_sink_again(torch):
    x = torch.ones(2, requires_grad=True)
    for k in range(3):
        (x * k).sum().backward()
    y = x * 4
    del y
    x.exp().sum().backward()
    return x.grad


@like_pytorch
def test_hooks_of_a_leaf_outlive_its_graph(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    x.register_hook(lambda g: g * 10)
    del y
    (x * 3).sum().backward()
    return x.grad


@like_pytorch
def test_sinks_come_before_all_other_nodes(torch):
    log = []
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: log.append("x"))
    y.register_hook(lambda g: log.append("y"))
    a = x.exp()
    b = a * y
    a.register_hook(lambda g: log.append("a"))
    c = b.sin()
    b.register_hook(lambda g: log.append("b"))
    c.sum().backward()
    return log, x.expand_as(x).grad_fn.next_functions[0][0]._sequence_nr()


@like_pytorch
def test_the_saved_leaf_is_the_leaf(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * x
    saved = y.grad_fn._saved_self
    return saved is x, saved.is_leaf, saved.requires_grad


@like_pytorch
def test_a_leaf_with_other_data_leads_to_the_same_sink(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = x.exp() * x
    saved = y.grad_fn._saved_other
    z = (saved * 3).sum()
    z.backward()
    return saved is x, saved.is_leaf, saved.requires_grad, x.grad


def test_an_unpacked_leaf_outlives_its_sink():
    torch = minitorch
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = x.exp() * x
    saved = y.grad_fn._saved_other
    del y, x
    gc.collect()
    made = [torch.ones(2, requires_grad=True).exp() for _ in range(50)]
    (saved * 2).sum().backward()
    assert saved.grad.tolist() == [2, 2] and len(made) == 50


def test_a_leaf_outlives_its_sink_and_gets_another():
    torch = minitorch
    x = torch.ones(2, requires_grad=True)
    for _ in range(100):
        y = x * 2
        del y
    nodes = [torch.ones(1, requires_grad=True) * 2 for _ in range(100)]
    (x * 5).sum().backward()
    assert x.grad.tolist() == [5, 5] and len(nodes) == 100


@like_pytorch
def test_gradients_keep_the_dtype_that_was_asked_for(torch):
    x = torch.zeros(6, 4).t().requires_grad_()
    x.grad_dtype = torch.float64
    (x.double() * torch.arange(24.0).reshape(4, 6).double()).sum().backward()
    first = x.grad.dtype, about(x)
    x.grad = None
    x.grad_dtype = None
    (x * 2).sum().backward()
    return str(first[0]), first[1], str(x.grad.dtype)


@like_pytorch
def test_grad_dtype_of_a_leaf_whose_sink_is_new(torch):
    x = torch.zeros(3, requires_grad=True)
    x.grad_dtype = torch.float64
    y = x * 2
    x.grad_dtype = torch.float16
    y.sum().backward()
    return str(x.grad.dtype)


@like_pytorch
def test_tensors_that_change_places_take_everything_along(torch):
    base = torch.ones(4, requires_grad=True)
    a, b = (base * 2).split(2)
    c = torch.zeros(2, requires_grad=True)
    d = c * 3
    x, y = torch.ones(2, requires_grad=True), torch.zeros(3, requires_grad=True)
    x.grad, y.grad = torch.ones(2), torch.zeros(3)
    torch.utils.swap_tensors(x, y)
    (x * 2).sum().backward()
    (y * 5).sum().backward()
    return x, y, x.grad, y.grad, a.output_nr, b.output_nr, d


def test_memory_of_gradients_that_are_taken_is_not_copied():
    torch = minitorch
    x = torch.zeros(1 << 20, requires_grad=True)
    factor = torch.ones(1 << 20)
    loss = (x * factor).sum()
    before = allocator.memory_stats()["allocated_bytes"]
    allocator.reset_peak_memory_stats()
    loss.backward()
    stats = allocator.memory_stats()
    one = 4 << 20
    assert one <= stats["allocated_bytes"] - before < one + 4096
    assert stats["peak_bytes"] - before < one + (1 << 16)


def test_a_gradient_is_added_without_further_memory():
    torch = minitorch
    x = torch.zeros(1 << 20, requires_grad=True)
    factor = torch.ones(1 << 20)
    (x * factor).sum().backward()
    loss = (x * factor).sum()
    before = allocator.memory_stats()["allocated_bytes"]
    allocator.reset_peak_memory_stats()
    loss.backward()
    assert allocator.memory_stats()["peak_bytes"] - before < (4 << 20) + (1 << 16)


def test_the_cycle_of_a_leaf_and_its_recorded_gradient_is_collected():
    torch = minitorch
    for leaf in ("row_major", "columns_with_gaps"):
        x = LEAVES[leaf](torch).requires_grad_()
        (x * x).sum().backward(create_graph=True)
        gone = weakref.ref(x)
        del x
        gc.collect()
        assert gone() is None


@pytest.mark.parametrize("policy, order", list(itertools.product([True, False], ORDERS)))
def test_a_trace_tells_a_taken_gradient_from_a_copied_one(policy, order):
    torch = minitorch
    x = torch.zeros(6, 4).t().requires_grad_()
    loss = (x * ORDERS[order](numbers(torch, x))).sum()
    with torch.autograd.enforce_grad_layout_policy(policy), torch.autograd.trace() as trace:
        loss.backward()
    details = [e.detail for e in trace.events if e.kind == "accumulate"]
    assert details == ["taken" if not policy or order == "reversed" else "copied"]
    with torch.autograd.trace() as trace:
        (x * 2).sum().backward()
        (x * 2).sum().backward(create_graph=True)
    details = [e.detail for e in trace.events if e.kind == "accumulate"]
    assert details == ["added in place", "added"]


@pytest.mark.parametrize("strides", [(0, 1), (3, 1), (7, 1)])
def test_a_gradient_with_a_stride_of_zero_is_laid_out_as_its_leaf(strides):
    def program(torch):
        class Give(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.sum()

            @staticmethod
            def backward(ctx, g):
                return torch.arange(3.0).as_strided((1, 3), strides)

        x = torch.zeros(1, 3, requires_grad=True)
        Give.apply(x).backward()
        return x.grad, x.grad.stride()

    compare(program)
