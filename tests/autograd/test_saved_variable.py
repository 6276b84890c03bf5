"""What nodes save and give back: versions of every slot, histories, hooks, against PyTorch."""

import gc
import threading
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


# operators of one, two and three saved tensors; each takes as many inputs
OPERATORS = {
    "exp": (1, lambda torch, a: a.exp()),
    "sin": (1, lambda torch, a: a.sin()),
    "mul": (2, lambda torch, a, b: a * b),
    "div": (2, lambda torch, a, b: a / b),
    "atan2": (2, lambda torch, a, b: torch.atan2(a, b)),
    "pow": (2, lambda torch, a, b: a.pow(b)),
    "lerp": (3, lambda torch, a, b, c: torch.lerp(a, b, c)),
    "addcmul": (3, lambda torch, a, b, c: torch.addcmul(a, b, c)),
    "addcdiv": (3, lambda torch, a, b, c: torch.addcdiv(a, b, c)),
    "where": (3, lambda torch, a, b, c: torch.where(a > 0, b, c)),
    "baddbmm": (3, lambda torch, a, b, c: torch.addmm(a, b, c)),
    "layer_norm": (3, lambda torch, a, b, c: torch.nn.functional.layer_norm(a, (3,), b[0], c[0])),
    "prelu": (2, lambda torch, a, b: torch.nn.functional.prelu(a, b[0, :1])),
}


def inputs(torch, count):
    return [torch.arange(1.0, 10.0).reshape(3, 3).add(k).requires_grad_() * 1 for k in range(count)]


CASES = [(name, k) for name, (count, _) in OPERATORS.items() for k in range(-1, count)]


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("name, written", CASES)
def test_a_write_to_any_input_or_to_the_result(name, written, times):
    """-1 is the result. What is refused, and the text that says what was written, are PyTorch's."""

    def program(torch):
        count, function = OPERATORS[name]
        tensors = inputs(torch, count)
        y = function(torch, *tensors)
        for _ in range(times):
            (y if written < 0 else tensors[written]).add_(1)
        return torch.autograd.grad(y.sum(), tensors, allow_unused=True)

    compare(program)


@pytest.mark.parametrize("name, written", CASES)
def test_a_write_before_the_operator_is_allowed(name, written):
    def program(torch):
        count, function = OPERATORS[name]
        tensors = inputs(torch, count)
        if written >= 0:
            for _ in range(written + 1):
                tensors[written].add_(1)
        y = function(torch, *tensors)
        return torch.autograd.grad(y.sum(), tensors, allow_unused=True)

    compare(program)


@pytest.mark.parametrize("name", OPERATORS)
def test_a_version_that_was_set_back_is_as_good_as_before(name):
    def program(torch):
        count, function = OPERATORS[name]
        tensors = inputs(torch, count)
        for k, t in enumerate(tensors):
            for _ in range(k):
                t.add_(0)
        y = function(torch, *tensors)
        results = []
        for t in [*tensors, y]:
            before = t._version
            for version in (before + 1, before + 2, max(before - 1, 0), before):
                torch._C._autograd._unsafe_set_version_counter((t,), (version,))
                try:
                    torch.autograd.grad(y.sum(), tensors, retain_graph=True, allow_unused=True)
                    results.append("allowed")
                except RuntimeError as error:
                    results.append(str(error))
        return results

    compare(program)


@pytest.mark.parametrize("name", OPERATORS)
def test_what_was_saved_can_be_looked_at(name):
    def program(torch):
        count, function = OPERATORS[name]
        tensors = inputs(torch, count)
        y = function(torch, *tensors)
        node = y.grad_fn
        found = []
        for attribute in sorted(a for a in dir(node) if a.startswith("_saved_")):
            value = getattr(node, attribute)
            if isinstance(value, torch.Tensor):
                which = [value is t for t in [*tensors, y]]
                found.append(
                    (
                        attribute,
                        value,
                        which,
                        value.grad_fn and value.grad_fn.name(),
                        value.output_nr,
                    )
                )
        y.sum().backward()
        after = []
        for attribute, *_ in found:
            try:
                getattr(node, attribute)
                after.append(attribute)
            except RuntimeError as error:
                after.append(str(error))
        return found, after

    compare(program)


@pytest.mark.parametrize("name", OPERATORS)
def test_hooks_on_what_is_saved(name):
    def program(torch):
        count, function = OPERATORS[name]
        tensors = inputs(torch, count)
        packed, unpacked = [], []

        def pack(t):
            packed.append(
                (
                    t.clone(),
                    t.requires_grad,
                    torch.is_grad_enabled(),
                    t.grad_fn and t.grad_fn.name(),
                )
            )
            return len(packed) - 1, t.detach()

        def unpack(given):
            unpacked.append(given[0])
            return given[1]

        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = function(torch, *tensors)
        grads = torch.autograd.grad(y.sum(), tensors, retain_graph=True, allow_unused=True)
        first = list(unpacked)
        again = torch.autograd.grad(y.sum(), tensors, create_graph=True, allow_unused=True)
        return packed, first, grads, again, sorted(unpacked)

    compare(program)


@pytest.mark.parametrize("name, written", CASES)
def test_a_write_to_what_a_hook_has_packed(name, written):
    def program(torch):
        count, function = OPERATORS[name]
        tensors = inputs(torch, count)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            y = function(torch, *tensors)
        (y if written < 0 else tensors[written]).add_(1)
        return torch.autograd.grad(y.sum(), tensors, allow_unused=True)

    compare(program)


# ---- whose history a saved tensor has


def test_a_saved_leaf_that_requires_grad_since_is_the_leaf():
    for name in ("_saved_other", "_saved_self"):

        def program(torch, name=name):
            x, w = torch.ones(2, requires_grad=True), torch.ones(2)
            y = x * w if name == "_saved_other" else w * x
            w.requires_grad_()
            saved = getattr(y.grad_fn, name)
            (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
            return saved.requires_grad, saved is w, g.requires_grad, g

        compare(program)


@like_pytorch
def test_a_second_derivative_by_what_requires_grad_since(torch):
    x, w = torch.ones(2, requires_grad=True), torch.full((2,), 3.0)
    y = (x * w * x).sum()
    w.requires_grad_()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    return torch.autograd.grad(g.sum(), [x, w], allow_unused=True)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_saved_tensors_that_are_further_outputs(which):
    def program(torch):
        x = torch.arange(1.0, 7.0).requires_grad_()
        parts = (x * 1).split(2)
        y = parts[which].exp() * parts[which]
        saved = y.grad_fn._saved_other
        (g,) = torch.autograd.grad((saved * 5).sum(), x, retain_graph=True)
        (h,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (i,) = torch.autograd.grad(h.sum(), x, retain_graph=True)
        del parts
        late = y.grad_fn._saved_other
        (j,) = torch.autograd.grad((late * 7).sum(), x)
        return saved.output_nr, late.output_nr, g, h, i, j

    compare(program)


@like_pytorch
def test_saved_outputs_of_operators_with_several(torch):
    x = torch.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
    results = []
    for function in (
        torch.linalg.eigh,
        torch.linalg.qr,
        lambda t: torch.var_mean(t, 1),
        lambda t: torch.sort(t, 1),
    ):
        first, second = function(x)
        (g,) = torch.autograd.grad(first.sum(), x, create_graph=True)
        results.append(g)
        if g.requires_grad:
            results += torch.autograd.grad(g.abs().sum(), x, allow_unused=True)
    s = torch.linalg.svdvals(x)
    (g,) = torch.autograd.grad(s.sum(), x, create_graph=True)
    return results, g


@like_pytorch
def test_a_saved_output_that_was_written_to_through_a_view(torch):
    x = torch.ones(4, requires_grad=True)
    base = x * 1
    view = base[:2]
    view.exp_()
    (g,) = torch.autograd.grad(base.sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x), base.grad_fn.name(), view.grad_fn.name()


@pytest.mark.parametrize("write", ["add_", "exp_", "mul_", "zero_"])
@pytest.mark.parametrize("part", ["whole", "view", "base", "transposed"])
def test_who_wrote_to_what_was_saved(part, write):
    def program(torch):
        x = torch.ones(2, 2, requires_grad=True)
        base = x * 2
        saved = {"whole": base, "view": base[0], "base": base, "transposed": base.t()}[part]
        y = saved.sin()
        target = {"whole": base, "view": base, "base": base[1], "transposed": base}[part]
        arguments = (2,) if write in ("add_", "mul_") else ()
        getattr(target, write)(*arguments)
        y.sum().backward()

    compare(program)


# ---- detached in place


@pytest.mark.parametrize("create_graph", [True, False])
@pytest.mark.parametrize("operator", ["sin", "exp", "mul"])
def test_saved_tensors_that_were_detached_in_place(operator, create_graph):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        a = x * 2
        y = a.sin() if operator == "sin" else a.exp() if operator == "exp" else a * x
        (y if operator == "exp" else a).detach_()
        node_result = y if y.requires_grad else (a.exp() * 1)
        return torch.autograd.grad(
            node_result.sum(), x, create_graph=create_graph, allow_unused=True
        )

    compare(program)


# ---- hooks: stack, errors, threads


@like_pytorch
def test_the_innermost_hooks_count(torch):
    hooks = torch.autograd.graph.saved_tensors_hooks
    log = []
    x = torch.ones(2, requires_grad=True)

    def pair(name):
        return hooks(
            lambda t: (log.append(("pack", name)), t)[1],
            lambda t: (log.append(("unpack", name)), t)[1],
        )

    with pair("outer"):
        a = x.sin()
        with pair("middle"), pair("inner"):
            b = a.sin()
        c = b.sin()
    d = c.sin()
    d.sum().backward()
    return log, x.grad


@like_pytorch
def test_hooks_that_are_disabled(torch):
    graph = torch.autograd.graph
    log = []
    x = torch.ones(2, requires_grad=True)
    with graph.disable_saved_tensors_hooks("not here"):
        try:
            with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                pass
        except RuntimeError as error:
            log.append(str(error))
        y = x * x
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        try:
            with graph.disable_saved_tensors_hooks("there are some"):
                pass
        except RuntimeError as error:
            log.append(str(error))
    y.sum().backward()
    return log, x.grad, torch._C._autograd._saved_tensors_hooks_is_enabled()


@pytest.mark.parametrize("value", [None, 3, "text", [1]])
def test_an_unpack_hook_that_gives_no_tensor(value):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: value):
            y = x * x
        y.sum().backward()

    compare(program)


@pytest.mark.parametrize("operator", ["mul", "index", "embedding"])
def test_an_unpack_hook_that_gives_integers(operator):
    def program(torch):
        x = torch.ones(4, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t.long()):
            if operator == "mul":
                y = x * x
            elif operator == "index":
                y = x[torch.tensor([1, 1])]
            else:
                y = torch.nn.functional.embedding(torch.tensor([1]), x.view(2, 2))
        y.sum().backward()
        return x.grad

    compare(program)


@like_pytorch
def test_a_pack_hook_that_writes_to_what_it_packs(torch):
    x = torch.ones(2, requires_grad=True) * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.add_(1), lambda t: t):
        x * x


@pytest.mark.parametrize("pack, unpack", [(None, None), (len, None), (None, len), (3, len)])
def test_hooks_that_cannot_be_called(pack, unpack):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * x
        y.grad_fn._raw_saved_self.register_hooks(pack, unpack)

    theirs = compare_text(program)
    assert theirs

    def pushed(torch):
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            pass

    assert compare_text(pushed)


def compare_text(program):
    """Both libraries raise the same type; the texts name their own classes."""
    from tests.both import outcome, real

    ours, theirs = outcome(program, minitorch), outcome(program, real)
    assert ours[:2] == theirs[:2]
    return theirs[0] == "raised"


@like_pytorch
def test_hooks_on_one_saved_tensor(torch):
    log = []
    x = torch.ones(2, requires_grad=True)
    w = torch.full((2,), 2.0, requires_grad=True)
    y = torch.lerp(x, w, x * 3)
    raw = [getattr(y.grad_fn, n) for n in sorted(dir(y.grad_fn)) if n.startswith("_raw_saved")]
    for k, saved in enumerate(raw):
        try:
            saved.register_hooks(
                lambda t, k=k: (log.append(("pack", k)), t * 1)[1],
                lambda t, k=k: (log.append(("unpack", k)), t)[1],
            )
        except RuntimeError as error:
            log.append(str(error))
    try:
        raw[0].register_hooks(lambda t: t, lambda t: t)
    except RuntimeError as error:
        log.append(str(error))
    y.sum().backward()
    try:
        raw[1].register_hooks(lambda t: t, lambda t: t)
    except RuntimeError as error:
        log.append(str(error))
    return sorted(map(str, log)), x.grad, w.grad


@like_pytorch
def test_hooks_where_nothing_is_saved(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * torch.ones(2)
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)


@like_pytorch
def test_hooks_of_one_thread_are_not_those_of_another(torch):
    log = []

    def run():
        y = torch.ones(2, requires_grad=True).sin()
        y.sum().backward()
        log.append(("other", torch._C._autograd._saved_tensors_hooks_is_enabled()))

    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append("pack"), t)[1], lambda t: t
    ):
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        torch.ones(2, requires_grad=True).sin()
    return log


@like_pytorch
def test_hooks_are_gone_after_an_error_in_a_backward(torch):
    log = []
    hooks = torch.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append("pack"), t)[1], lambda t: t
    )
    x = torch.ones(2, requires_grad=True)
    for fails in (True, False, True):
        y = x * 2

        def hook(g, fails=fails):
            hooks.__enter__()
            if fails:
                raise ValueError

        y.register_hook(hook)
        try:
            y.sum().backward()
        except ValueError:
            pass
        x.sin()
    with hooks:
        x.sin()
    return log


def test_what_hooks_have_packed_is_freed_with_the_rest():
    torch = minitorch

    class Box:
        pass

    boxes = []

    def pack(t):
        box = Box()
        box.t = t
        boxes.append(weakref.ref(box))
        return box

    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda box: box.t):
        y = torch.lerp(x.exp(), x * x, x * 1)
    assert len(boxes) >= 4 and all(b() is not None for b in boxes)
    y.sum().backward()
    gc.collect()
    assert all(b() is None for b in boxes)


def test_a_cycle_through_what_a_hook_packed_is_collected():
    torch = minitorch

    class Box:
        pass

    for operator in (lambda x: x.sin(), lambda x: x * x, lambda x: torch.lerp(x, x * 1, x * 2)):
        box = Box()
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda t, box=box: box, lambda box: None):
            box.result = operator(x)
        gone = weakref.ref(box)
        del box, x
        gc.collect()
        assert gone() is None


def test_tangents_of_saved_tensors_are_freed():
    torch = minitorch
    forward = torch.autograd.forward_ad
    big = 1 << 18
    x = torch.ones(big, requires_grad=True)
    with forward.dual_level():
        d = forward.make_dual(x, torch.ones(big))
        y = (d * d).sum()
        del d
        before = allocator.memory_stats()["allocated_bytes"]
        (g,) = torch.autograd.grad(y, x)
        del g
        # the gradient is gone; what the product had saved, too
        assert allocator.memory_stats()["allocated_bytes"] <= before
    assert forward._current_level == -1


@like_pytorch
def test_derivatives_along_tangents_of_what_was_saved(torch):
    forward = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    results = []
    for packs in (False, True):
        with forward.dual_level():
            d = forward.make_dual(x * 1, torch.tensor([3.0, 5.0]))
            if packs:
                with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                    y = (d.sin() * d).exp().sum()
            else:
                y = (d.sin() * d).exp().sum()
            (g,) = torch.autograd.grad(y, x)
            results.append(tuple(forward.unpack_dual(g)) if not packs else g.detach())
    return results


@like_pytorch
def test_numbers_are_not_packed(torch):
    log = []
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append(t.shape), t)[1], lambda t: t
    ):
        y = (x * 2).pow(3) / 4 + 2**x
    y.sum().backward()
    return log, x.grad


@pytest.mark.parametrize("operator", ["exp_", "tanh_", "sqrt_", "sigmoid_"])
@pytest.mark.parametrize("part", ["row", "transposed", "whole"])
def test_second_derivatives_of_a_saved_result_in_a_view(operator, part):
    parts = {"row": lambda b: b[0], "transposed": lambda b: b.t(), "whole": lambda b: b.view(4)}

    def program(torch):
        x = torch.tensor([[0.5, 1.0], [1.5, 2.0]], requires_grad=True)
        base = x * x
        getattr(parts[part](base), operator)()
        (first,) = torch.autograd.grad((base * base).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.pow(2).sum(), x, create_graph=True)
        (third,) = torch.autograd.grad(second.sum(), x)
        return first, second, third

    compare(program, tolerance=1e-4)


SEVERAL_OUTPUTS = {
    "eigh": lambda torch, x: torch.linalg.eigh(x + x.t()),
    "qr": lambda torch, x: torch.linalg.qr(x),
    "slogdet": lambda torch, x: torch.linalg.slogdet(x),
    "var_mean": lambda torch, x: torch.var_mean(x, 1),
    "max": lambda torch, x: x.max(1),
    "unbind": lambda torch, x: x.unbind(),
}


def square(torch):
    return torch.tensor([[3.0, 1.0, 0.5], [0.0, 2.0, 1.0], [1.0, 0.0, 1.5]], requires_grad=True)


@pytest.mark.parametrize("name", SEVERAL_OUTPUTS)
def test_first_and_second_derivatives_of_several_outputs(name):
    def program(torch):
        x = square(torch)
        outputs = [t for t in SEVERAL_OUTPUTS[name](torch, x) if t.requires_grad]
        loss = sum(((k + 1) * t * t).sum() for k, t in enumerate(outputs))
        (first,) = torch.autograd.grad(loss, x, create_graph=True)
        (second,) = torch.autograd.grad(first.sin().sum(), x)
        alone = [torch.autograd.grad(t.sum(), x, retain_graph=True)[0] for t in outputs]
        return first, second, alone

    compare(program, tolerance=1e-4)


@pytest.mark.parametrize("written", [0, 1])
@pytest.mark.parametrize("name", ["eigh", "qr"])
def test_the_message_names_the_output_that_was_written_to(name, written):
    def program(torch):
        outputs = SEVERAL_OUTPUTS[name](torch, square(torch) * 1)
        outputs[written].add_(1)
        (outputs[0].sum() + outputs[1].sum()).backward()

    compare(program)


@like_pytorch
def test_a_saved_leaf_is_the_leaf(torch):
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    z = x * y
    saved = z.grad_fn._saved_self
    del y
    other = z.grad_fn._saved_other
    return saved is x, saved.is_leaf, other.is_leaf, other.requires_grad, other.grad_fn


def test_what_is_saved_outlives_the_tensor_of_the_program():
    torch = minitorch
    x = torch.ones(3, requires_grad=True)
    for k in range(200):
        y = x * k
        z = y * y
        del y
        others = [torch.zeros(3) for _ in range(3)]  # may take the place of what was freed
        saved = z.grad_fn._saved_self
        assert saved.tolist() == [k] * 3
        assert saved.grad_fn.name() == "MulBackward0"
        assert all(saved is not other for other in others)


@like_pytorch
def test_hooks_are_disabled_while_some_are_set(torch):
    autograd = torch._C._autograd
    x = torch.ones(2, requires_grad=True)
    said = []
    try:
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            try:
                autograd._saved_tensors_hooks_disable("no more", True)
            except RuntimeError as error:
                said.append(str(error))
            said.append(autograd._saved_tensors_hooks_is_enabled())
            autograd._saved_tensors_hooks_disable("no more", False)
            said.append(autograd._saved_tensors_hooks_is_enabled())
    finally:
        autograd._saved_tensors_hooks_enable()
    return said, (x * x).sum()


@like_pytorch
def test_saved_inputs_that_are_further_outputs_of_a_node(torch):
    x = torch.tensor([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]], requires_grad=True)
    a, b, c = (x * 1).unbind()
    loss = (a * b * c.exp() + torch.lerp(a, b, c)).sum()
    (first,) = torch.autograd.grad(loss, x, create_graph=True)
    (second,) = torch.autograd.grad((first * first).sum(), x)
    return first, second


def test_what_hooks_have_packed_is_freed_with_the_graph():
    torch = minitorch

    class Box:
        def __init__(self, tensor):
            self.tensor = tensor

    boxes = []

    def pack(tensor):
        box = Box(tensor)
        boxes.append(weakref.ref(box))
        return box

    x = torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda box: box.tensor):
        y = torch.lerp(x * 2, x * 3, x * 4)
    node = y.grad_fn
    y.sum().backward()
    assert len(boxes) == 3
    assert [box() for box in boxes] == [None] * 3
    assert node.name() == "LerpBackward1"


@pytest.mark.parametrize("hooks", [False, True])
def test_tangents_of_what_is_saved(hooks):
    def program(torch):
        forward = torch.autograd.forward_ad
        graph = torch.autograd.graph
        with forward.dual_level():
            x = torch.tensor([0.5, 1.0], requires_grad=True)
            d = forward.make_dual(x * 1, torch.tensor([1.0, 2.0]))
            if hooks:
                with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                    y = d * d.exp()
            else:
                y = d * d.exp()
            (g,) = torch.autograd.grad(y.sum(), x)
            return forward.unpack_dual(g)

    compare(program)


def test_tangents_of_what_was_saved_are_freed_with_the_graph():
    torch = minitorch
    forward = torch.autograd.forward_ad
    x = torch.ones(1 << 16, requires_grad=True)
    with forward.dual_level():
        start = allocator.memory_stats()["allocated_bytes"]
        d = forward.make_dual(x * 1, torch.ones(1 << 16))
        y = d * d
        node = y.grad_fn
        torch.autograd.grad(y.sum(), x)
        del d, y
        assert allocator.memory_stats()["allocated_bytes"] - start < 1 << 16
    assert node.name() == "MulBackward0"
