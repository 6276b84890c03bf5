"""Views, in-place writes, `.grad`, `.data` and flags of a tensor, at each branch, against PyTorch."""

import gc
import itertools
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


def about(t):
    return (
        t.requires_grad,
        t.is_leaf,
        t.grad_fn and t.grad_fn.name(),
        t.output_nr,
        None if t.is_inference() else t._version,
        t._is_view(),
        t.retains_grad,
    )


# ---- views and writes

MAKERS = {
    "view": lambda torch, b: b.view(2, 2),
    "slice": lambda torch, b: b[:2],
    "split": lambda torch, b: b.split(2)[1],
    "detach": lambda torch, b: b.detach(),
    "view_of_view": lambda torch, b: b.view(2, 2)[1],
    "view_of_split": lambda torch, b: b.split(2)[1].view(2, 1),
    "split_of_view": lambda torch, b: b.view(2, 2).unbind()[0],
    "alias": lambda torch, b: b[:],
    "expand": lambda torch, b: b.expand(2, 4),
}
BASES = {
    "leaf": lambda torch: torch.arange(1.0, 5.0).requires_grad_(),
    "computed": lambda torch: torch.arange(1.0, 5.0).requires_grad_() * 1,
    "plain": lambda torch: torch.arange(1.0, 5.0),
    "integer": lambda torch: torch.arange(4),
}
MADE_IN = {
    "grad": lambda torch: torch.enable_grad(),
    "no_grad": lambda torch: torch.no_grad(),
    "inference": lambda torch: torch.inference_mode(),
}
WRITES = {
    "base": lambda torch, b, v: b.mul_(3),
    "view": lambda torch, b, v: v.mul_(3),
    "view_by_leaf": lambda torch, b, v: v.mul_(torch.ones(1, requires_grad=True)),
    "base_by_leaf": lambda torch, b, v: b.mul_(torch.ones(1, requires_grad=True)),
    "both": lambda torch, b, v: (v.mul_(2), b.add_(1)),
    "twice": lambda torch, b, v: (v.mul_(2), v.mul_(2)),
}


@pytest.mark.parametrize("written_in", ["grad", "no_grad"])
@pytest.mark.parametrize("made_in", MADE_IN)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("maker", MAKERS)
def test_writes_to_views_and_to_their_bases(maker, base, made_in, written_in):
    for write in WRITES:

        def program(torch, write=write):
            b = BASES[base](torch)
            with MADE_IN[made_in](torch):
                v = MAKERS[maker](torch, b)
            result = [about(v), about(b)]
            with MADE_IN[written_in](torch):
                try:
                    WRITES[write](torch, b, v)
                except RuntimeError as error:
                    result.append(str(error))
            for t in (v, b, v):
                try:
                    result.append(about(t))
                except RuntimeError as error:
                    result.append(str(error))
            for t in (b, v):
                try:
                    if t.requires_grad and t.grad_fn is not None:
                        edge = t.grad_fn.next_functions
                        result.append([n and n.name() for n, _ in edge])
                except RuntimeError as error:
                    result.append(str(error))
            return result, b.detach()

        compare(program)


@pytest.mark.parametrize("made_in", MADE_IN)
@pytest.mark.parametrize("base", ["leaf", "computed", "plain"])
def test_writes_to_a_view_of_a_view_that_was_made_in_another_mode(base, made_in):
    for write, second in itertools.product(WRITES, ["view", "slice", "split", "alias"]):

        def program(torch, write=write, second=second):
            b = BASES[base](torch)
            with MADE_IN[made_in](torch):
                v = b.view(4)
            w = MAKERS[second](torch, v)
            result = [about(w)]
            try:
                WRITES[write](torch, v if write.startswith("base") else b, w)
            except RuntimeError as error:
                result.append(str(error))
            for t in (w, v, b):
                try:
                    result.append(about(t))
                except RuntimeError as error:
                    result.append(str(error))
            return result, b.detach()

        compare(program)


@pytest.mark.parametrize(
    "first, second", list(itertools.product(["view", "slice", "split", "alias"], repeat=2))
)
def test_gradients_through_a_base_and_two_of_its_views(first, second):
    def program(torch):
        x = torch.arange(1.0, 5.0).requires_grad_()
        b = x * 1
        v, w = MAKERS[first](torch, b), MAKERS[second](torch, b)
        try:
            v.mul_(2)
            w.mul_(b.sum().detach())
            b.mul_(3)
        except RuntimeError as error:
            return str(error)
        return (
            torch.autograd.grad((v.sum() * 5 + w.sum() * 7 + b.sum()), x),
            about(v),
            about(w),
            about(b),
        )

    compare(program)


@like_pytorch
def test_a_view_is_made_anew_once_for_each_write(torch):
    x = torch.ones(4, requires_grad=True)
    b = x * 1
    v = b[:2]
    log = []
    for _ in range(2):
        b.mul_(2)
        first = v.grad_fn
        log += [first is v.grad_fn, first.name(), v.output_nr]
    return log


@like_pytorch
def test_a_view_of_an_output_that_is_not_the_first(torch):
    x = torch.arange(6.0).requires_grad_()
    b = (x * 1).view(3, 2)
    parts = b.split(1)
    b.mul_(2)
    part = parts[2]
    try:
        name = part.grad_fn.name()
    except RuntimeError as error:
        return str(error)
    return name, part.output_nr


@like_pytorch
def test_a_view_of_a_base_that_requires_grad_only_since(torch):
    results = []
    for write in (True, False):
        base = torch.ones(4)
        v = base[:2]
        with torch.no_grad():
            w = base[2:]
        base.requires_grad_()
        if write:
            with torch.no_grad():
                base.mul_(2)
        for t in (v, w):
            try:
                results.append(about(t))
                (t * 3).sum().backward()
                results.append(base.grad)
            except RuntimeError as error:
                results.append(str(error))
    return results


@like_pytorch
def test_the_transpose_in_place_of_a_view(torch):
    x = torch.ones(2, 3, requires_grad=True)
    b = x * 1
    v = b[:, :2]
    v.t_()
    first = about(v), about(b), v.shape
    b.mul_(2)
    second = about(v)
    whole = b * 1
    whole.t_()
    return (
        first,
        second,
        about(whole),
        torch.autograd.grad((v * torch.arange(4.0).view(2, 2)).sum() + whole.sum(), x),
    )


@like_pytorch
def test_base_of_a_view_of_a_view(torch):
    x = torch.ones(2, 3)
    v = x.t()
    w = v[1]
    return v._base is x, w._base is x, x._base, w._is_view(), w.detach()._is_view()


# ---- what refuses a write


@pytest.mark.parametrize("mode", MADE_IN)
@pytest.mark.parametrize(
    "kind", ["leaf", "plain", "computed", "view of leaf", "inference", "view of inference"]
)
def test_who_may_be_written_to(kind, mode):
    def program(torch):
        t = torch.ones(4)
        if kind == "leaf":
            t.requires_grad_()
        elif kind == "computed":
            t = t.requires_grad_() * 1
        elif kind == "view of leaf":
            t = t.requires_grad_().view(2, 2)
        elif kind.endswith("inference"):
            with torch.inference_mode():
                t = torch.ones(4)
            t = t if kind == "inference" else t.view(2, 2)
        with MADE_IN[mode](torch):
            t.add_(1)
            torch.add(t, 1, out=t) if mode != "grad" else None
        return about(t), t.detach()

    compare(program)


@like_pytorch
def test_inference_tensors_and_their_views(torch):
    results = []
    with torch.inference_mode():
        t = torch.ones(4)
        v = t.view(2, 2)
        results += [about(t), about(v)]
        normal = torch.inference_mode(False)
        with normal:
            u = torch.ones(4)
            results.append(about(u))
        w = u.view(2, 2)
        results.append(about(w))
    outside = t[:2]
    results.append((about(outside), about(v)))
    for call in (
        lambda: t.requires_grad_(),
        lambda: t * torch.ones(4, requires_grad=True),
        lambda: t + torch.ones(4, requires_grad=True),
        lambda: t._version,
        lambda: v._base,
    ):
        try:
            value = call()
            results.append(value)
        except RuntimeError as error:
            results.append(str(error))
    return results


# ---- .grad


GRADIENTS = {
    "fine": lambda torch: torch.ones(2, 3),
    "strided": lambda torch: torch.ones(3, 2).t(),
    "requires_grad": lambda torch: torch.ones(2, 3, requires_grad=True),
    "computed": lambda torch: torch.ones(2, 3, requires_grad=True) * 2,
    "double": lambda torch: torch.ones(2, 3).double(),
    "integer": lambda torch: torch.ones(2, 3).long(),
    "shorter": lambda torch: torch.ones(3),
    "swapped": lambda torch: torch.ones(3, 2),
    "longer": lambda torch: torch.ones(1, 2, 3),
    "same_count": lambda torch: torch.ones(6),
    "none": lambda torch: None,
    "number": lambda torch: 3,
    "list": lambda torch: [1.0],
    "meta": lambda torch: torch.ones(2, 3, device="meta"),
}


@pytest.mark.parametrize("gradient", GRADIENTS)
def test_gradients_that_are_assigned(gradient):
    def program(torch):
        x = torch.ones(2, 3, requires_grad=True)
        x.grad = torch.zeros(2, 3)
        try:
            x.grad = GRADIENTS[gradient](torch)
        except (RuntimeError, TypeError) as error:
            return str(error), x.grad
        (x * 2).sum().backward() if gradient in ("fine", "strided", "none") else None
        return x.grad if gradient != "meta" else x.grad.shape

    compare(program)


@like_pytorch
def test_a_tensor_is_not_its_own_gradient(torch):
    x = torch.ones(2, requires_grad=True)
    x.grad = x


@like_pytorch
def test_the_warning_of_a_gradient_that_never_comes(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    log = [y.grad]
    y.retain_grad()
    log.append(y.grad)
    y.sum().backward()
    log.append(y.grad)
    z = x * 3
    z.grad = torch.ones(2)
    log.append(z.grad)
    return log, x.grad, (x.detach() * 2).grad


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", None])
@pytest.mark.parametrize("sink", ["before", "after", "none"])
def test_the_dtype_of_gradients(sink, dtype):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2 if sink == "before" else None
        x.grad_dtype = dtype and getattr(torch, dtype)
        if sink == "after":
            y = x * 2
        if y is None:
            x.grad = torch.ones(2, dtype=getattr(torch, dtype or "int64"))
        else:
            y.sum().backward()
        first = str(x.grad.dtype), str(x.grad_dtype)
        x.grad = None
        x.grad_dtype = torch.float32
        (x * 2).sum().backward()
        return first, str(x.grad.dtype), str(x.grad_dtype)

    compare(program)


def test_a_cycle_through_a_gradient_with_a_history_is_collected():
    torch = minitorch
    for assign in (True, False):
        x = torch.ones(2, requires_grad=True)
        if assign:
            x.grad = x * 2
        else:
            (x * x).sum().backward(create_graph=True)
        gone = weakref.ref(x)
        del x
        gc.collect()
        assert gone() is None


def test_leaves_and_gradients_give_back_their_memory():
    torch = minitorch
    gc.collect()
    before = allocator.memory_stats()["allocated_bytes"]
    x = torch.ones(1 << 16, requires_grad=True)
    for _ in range(3):
        (x * 2).sum().backward()
        x.grad = None
        x.data = torch.ones(1 << 16)
    del x
    assert allocator.memory_stats()["allocated_bytes"] == before


# ---- flags


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int64", "bool", "float16"])
@pytest.mark.parametrize("value", [True, False, 1, None])
@pytest.mark.parametrize("how", ["attribute", "method", "deleted"])
def test_requires_grad_of_each_dtype(how, value, dtype):
    def program(torch):
        t = torch.ones(2, dtype=getattr(torch, dtype))
        if how == "attribute":
            t.requires_grad = value
        elif how == "method":
            t.requires_grad_(value)
        else:
            del t.requires_grad
        return about(t), about(t * 2)

    compare(program)


@pytest.mark.parametrize("value", [True, False])
def test_requires_grad_of_what_was_computed(value):
    def program(torch):
        y = torch.ones(2, requires_grad=True) * 2
        same = y.requires_grad_(True) is y
        y.requires_grad = value
        return same

    compare(program)
    compare(
        lambda torch: (torch.ones(2, requires_grad=True) * 2).requires_grad_(value).requires_grad
    )


@like_pytorch
def test_requires_grad_of_views_of_leaves(torch):
    x = torch.ones(2, 2, requires_grad=True)
    v = x[0]
    with torch.no_grad():
        w = x[1]
    integers = x.detach().view(torch.int32)
    base = torch.ones(4)
    late = base[:2]
    seen = base.view(torch.int32)
    base.requires_grad_()
    return [t.requires_grad for t in (v, w, integers, late, seen)], [
        about(t * 2) for t in (w, late)
    ]


@like_pytorch
def test_a_tensor_that_was_cut_off(torch):
    y = torch.ones(2, requires_grad=True) * 2
    y._grad_fn = None
    first = about(y)
    y.requires_grad_()
    (y * 3).sum().backward()
    return first, y.grad


# ---- .data


@like_pytorch
def test_data_have_versions_of_their_own(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * x
    d = x.data
    d.add_(1)
    results = [about(d), x._version, d._version, x]
    y.sum().backward()
    return results, x.grad


@pytest.mark.parametrize(
    "other", ["double", "integer", "longer", "view", "meta", "sparse", "number"]
)
def test_data_that_are_assigned(other):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        value = {
            "double": lambda: torch.ones(2).double(),
            "integer": lambda: torch.ones(2).long(),
            "longer": lambda: torch.zeros(5),
            "view": lambda: torch.arange(10.0)[3:7],
            "meta": lambda: torch.ones(2, device="meta"),
            "sparse": lambda: torch.ones(2).to_sparse(),
            "number": lambda: 3,
        }[other]()
        x.data = value
        (x * 3).sum().backward()
        return x, str(x.grad.dtype), x.grad, about(x), y.shape

    compare(program)


@like_pytorch
def test_handles_of_what_was_saved(torch):
    x = torch.ones(2, requires_grad=True) * 1
    y = x * x
    results = [y.grad_fn._saved_self is x]
    alias = x.detach()
    results.append(y.grad_fn._saved_self is alias)
    swapped = x
    del x
    results.append(y.grad_fn._saved_self is swapped)
    del swapped
    again = y.grad_fn._saved_self
    results += [again.grad_fn.name(), y.grad_fn._saved_self is again]
    return results


def test_a_saved_tensor_whose_handle_is_gone():
    torch = minitorch
    for _ in range(50):
        x = torch.ones(2, requires_grad=True) * 1
        y = x * x
        x.mark = "old"
        del x
        fill = [torch.ones(2) for _ in range(20)]
        saved = y.grad_fn._saved_self
        assert not hasattr(saved, "mark") and saved.grad_fn is not None
        assert saved is not None and len(fill) == 20


@like_pytorch
def test_versions_that_are_set_and_bumped(torch):
    x = torch.ones(2)
    x.add_(1)
    torch.autograd.graph.increment_version(x)
    first = x._version
    torch._C._autograd._unsafe_set_version_counter((x,), (7,))
    return first, x._version, x.detach()._version


@like_pytorch
def test_a_view_of_another_base(torch):
    base = torch.arange(6.0).view(2, 3)
    v = base.t()[1:]
    results = []
    for other in (torch.ones(2, 3), torch.ones(3, 2), torch.ones(3, 2).t(), torch.ones(6)):
        made = v._view_func(other)
        results.append(made if made is None else (made, made.stride(), made.storage_offset()))
    return results, base._view_func(torch.ones(2, 3))


@like_pytorch
def test_edges_of_further_outputs_and_of_tensors_without_one(torch):
    x = torch.arange(6.0).requires_grad_()
    parts = (x * 1).split(2)
    edges = [torch.autograd.graph.get_gradient_edge(t) for t in (*parts, x)]
    numbers = [e.output_nr for e in edges], [e.node.name() for e in edges]
    same = torch.autograd.graph.get_gradient_edge(x).node is edges[3].node
    try:
        torch.autograd.graph.get_gradient_edge(torch.ones(2))
    except (RuntimeError, ValueError) as error:
        return numbers, same, str(error)


@like_pytorch
def test_names_of_operators_in_messages(torch):
    results = []
    for function in (
        lambda t: t.pow(2),
        lambda t: t.sum(0),
        lambda t: t * 1,
        lambda t: t.sigmoid(),
        lambda t: t.view(4),
    ):
        x = torch.ones(4, requires_grad=True)
        a = function(x)
        a = a.expand(4) * 1 if a.dim() == 0 else a
        b = a * a
        a.add_(1)
        try:
            b.sum().backward()
        except RuntimeError as error:
            results.append(str(error))
    return results


@like_pytorch
def test_a_view_of_what_was_written_to_has_its_own_node(torch):
    base = torch.ones(4, requires_grad=True) * 1
    base.mul_(2)
    base.add_(1)
    v = base.view(2, 2)
    names = [v.grad_fn.name(), v[0].grad_fn.name()]
    base.mul_(2)
    return names, v.grad_fn.name(), v[0].grad_fn.name()


@like_pytorch
def test_view_functions_want_the_sizes_and_the_strides_of_the_base(torch):
    base = torch.arange(6.0).view(2, 3)
    v = base.t()
    others = {
        "alike": torch.ones(2, 3),
        "strides": torch.ones(3, 2).t(),
        "sizes": torch.ones(1, 3),
        "sizes with equal strides": torch.ones(4, 3),
    }
    return {name: v._view_func(other) for name, other in others.items()}


@pytest.mark.parametrize("kind", ["leaf", "result", "detached"])
@pytest.mark.parametrize("write", ["to the view", "to the base"])
def test_writing_where_a_view_was_made_without_recording(kind, write):
    def program(torch):
        x = torch.ones(4, requires_grad=True)
        base = {"leaf": x, "result": x * 1, "detached": (x * 1).detach()}[kind]
        with torch.no_grad():
            v = base.view(2, 2)
        try:
            (v if write == "to the view" else base).mul_(2)
            found = (v.requires_grad, v.grad_fn and v.grad_fn.name())
        except RuntimeError as error:
            found = str(error)
        with torch.no_grad():
            v.add_(1)
        return found, v.detach(), base.detach()

    compare(program)


@pytest.mark.parametrize("written", ["base", "view", "neither"])
def test_the_node_of_a_view_whose_data_were_exchanged(written):
    def program(torch):
        base = torch.ones(4, requires_grad=True) * 1
        v = base.view(2, 2)
        v.data = torch.full((2, 2), 3.0)
        if written != "neither":
            {"base": base, "view": v}[written].mul_(2)
        (g,) = torch.autograd.grad(v.sum(), base, allow_unused=True)
        return v.grad_fn.name(), base.grad_fn.name(), v.detach(), base.detach(), g

    compare(program)
