"""What PyTorch's own tests reach behind the public names: orders, ways of views, old functions."""

import importlib
import warnings

import numpy as np
import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def asked(torch, run):
    """What `run(root, leaves)` would execute, told by a hook of the root."""
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    d = a + b
    left, right = d * 2, d.sin()
    root = left * right
    found = []

    def hook(grad):
        found.extend(n.name() for n in torch._C._current_graph_task_execution_order())

    root.register_hook(hook)
    with torch.autograd.set_multithreading_enabled(False):
        run(root, {"a": a, "b": b, "d": d})
    return found


RUNS = {
    "backward": lambda torch: lambda root, t: root.backward(),
    "backward to one": lambda torch: lambda root, t: root.backward(inputs=[t["b"]]),
    "grad": lambda torch: lambda root, t: torch.autograd.grad(root, t["a"]),
    "grad in between": lambda torch: lambda root, t: torch.autograd.grad(root, t["d"]),
}


@pytest.mark.parametrize("run", RUNS)
def test_the_order_in_which_nodes_will_run(run):
    compare(lambda torch: asked(torch, RUNS[run](torch)))


def test_the_order_is_the_one_that_happens():
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        y = x
        for k in range(20):
            y = y.sin() * x if k % 3 else y + x.exp() * (x * k).cos()
        root, told, done = y.sum(), [], []
        nodes, stack = set(), [root.grad_fn]
        while stack:
            node = stack.pop()
            if node not in nodes:
                nodes.add(node)
                stack += [n for n, _ in node.next_functions if n is not None]
        root.register_hook(lambda g: told.extend(torch._C._current_graph_task_execution_order()))
        for node in nodes:
            node.register_prehook(lambda grads, node=node: done.append(node))
        with torch.autograd.set_multithreading_enabled(False):
            root.backward()
        return told == done, len(told)

    compare(program)


@pytest.mark.parametrize("inside", [True, False])
def test_there_is_no_order_with_several_threads_or_outside(inside):
    def program(torch):
        x = torch.ones(1, requires_grad=True)
        if not inside:
            return torch._C._current_graph_task_execution_order()
        x.register_hook(lambda g: torch._C._current_graph_task_execution_order())
        (x * 2).backward()

    compare(program)


@like_pytorch
def test_a_view_of_another_base(torch):
    a = torch.arange(6.0, requires_grad=True)
    other = torch.arange(6.0) + 10
    views = [a.view(2, 3), a.view(2, 3)[1], a[::2], a.view(2, 3).t(), a.unfold(0, 2, 1)]
    bases = [other, torch.zeros(12)[::2], torch.ones(3)]
    found = [v._view_func(b) for v in views for b in bases]
    return found, a._view_func(other), [v._view_func_unsafe(other) for v in views]


@like_pytorch
def test_a_view_of_a_recorded_base_is_recorded(torch):
    x = torch.ones(6, requires_grad=True)
    base = x * 3
    view = torch.zeros(6).view(2, 3)[1]._view_func(base)
    view.sum().backward()
    return view._base is base, x.grad


def metas(torch):
    base = torch.ones(4, requires_grad=True) * 1
    with torch.no_grad():
        hidden = base.view(2, 2)
    return [base[0], base.split(2)[0], hidden]


@like_pytorch
def test_how_views_came_to_be(torch):
    autograd = torch._C._autograd
    views = metas(torch)
    names = [str(autograd._get_creation_meta(v)) for v in views]
    autograd._set_creation_meta(views[0], autograd.CreationMeta.NO_GRAD_MODE)
    after = str(autograd._get_creation_meta(views[0]))
    return names, after, list(autograd.CreationMeta.__members__)


@like_pytorch
def test_functions_of_old_programs(torch):
    importlib.import_module(f"{torch.__name__}.autograd._functions.utils")
    functions = torch.autograd._functions
    x = torch.arange(6.0, requires_grad=True)
    y = functions.Type.apply(functions.Resize.apply(x, (2, 3)), "torch.DoubleTensor")
    (y * y).sum().backward()
    utils = functions.utils
    shapes = [
        utils.maybe_unexpand(torch.ones(2, 3, 4), torch.Size(s)) for s in ([3, 1], [4], [2, 3, 4])
    ]
    return y, x.grad, shapes, utils.maybe_view(torch.ones(6), (2, 3))


@pytest.mark.parametrize("batched", [True, False])
@pytest.mark.parametrize("edge", [True, False])
def test_the_shapes_of_a_root_and_its_gradient(batched, edge):
    def program(torch):
        root = torch.ones(2, 3, requires_grad=True) * 1
        if edge:
            root = torch.autograd.graph.get_gradient_edge(root)
        return torch.autograd._calculate_shape(root, torch.ones(4, 2, 3), batched)

    compare(program)


@like_pytorch
def test_switches_and_counters(torch):
    _C = torch._C
    x = torch.ones(2)
    before = x._version
    _C._increment_version([x, x])
    after = x._version
    _C._autograd._unsafe_set_version_counter((x,), (7,))
    _C._set_multithreading_enabled(False)
    off = torch.autograd.is_multithreading_enabled()
    _C._set_multithreading_enabled(True)
    number = _C._autograd._get_sequence_nr()
    made = torch.ones(1, requires_grad=True) * 2
    with _C._InferenceMode(True):
        hidden = torch.ones(1).is_inference()
    return (
        *(before, after, x._version, off, made.grad_fn._sequence_nr() - number, hidden),
        *(
            _C.is_anomaly_enabled(),
            _C.is_anomaly_check_nan_enabled(),
            torch.autograd.kineto_available(),
        ),
        *(_C._is_alias_of(x, x[1:]), _C._is_alias_of(x, torch.ones(2)), _C.Size is torch.Size),
        *(
            _C._data_address(x) == x.data_ptr(),
            _C._infer_size(torch.Size([2, 1]), torch.Size([3])),
            _C._get_warnAlways(),
        ),
        *(_C._VariableFunctions.add(x, x), _C.get_num_threads() > 0),
    )


def test_a_tensor_that_is_no_view_came_to_be_in_no_way():
    compare(lambda torch: torch._C._autograd._get_creation_meta(torch.ones(2)))


BINARY = {
    "mul": (lambda t, a, b: a * b),
    "div": (lambda t, a, b: a / b),
    "pow": (lambda t, a, b: a**b),
    "mm": (lambda t, a, b: a @ b),
    "lerp": (lambda t, a, b: t.lerp(a, b, b * 0.5)),
    "hypot": (lambda t, a, b: t.hypot(a, b)),
    "layer_norm": (lambda t, a, b: t.nn.functional.layer_norm(a, (2,), b[0] + 1, b[1] * 2)),
    "addmm": (lambda t, a, b: t.addmm(a, a * 2, b)),
    "solve": (lambda t, a, b: t.linalg.solve(a, b)),
}


@pytest.mark.parametrize("case", BINARY)
def test_the_order_in_which_tensors_are_packed_and_unpacked(case):
    def program(torch):
        order = []

        def pack(t):
            order.append(("pack", t.sum()))
            return t

        def unpack(t):
            order.append(("unpack", t.sum()))
            return t

        a = torch.tensor([[1.0, 2.0], [4.0, 3.0]], requires_grad=True)
        b = torch.tensor([[0.5, 0.25], [0.75, 3.0]], requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = BINARY[case](torch, a, b)
        y.sum().backward()
        return [(kind, round(float(value.detach()), 4)) for kind, value in order]

    compare(program)


@pytest.mark.parametrize("case", ["mul", "mm", "div"])
def test_of_two_modified_tensors_the_one_unpacked_first_is_named(case):
    def program(torch):
        a = torch.ones(2, 3, requires_grad=True) * 1
        b = torch.ones(3, 2, requires_grad=True).exp() if case == "mm" else a.exp()
        y = BINARY[case](torch, a, b)
        with torch.no_grad():
            a.add_(1)
            b.add_(1)
        y.sum().backward()

    compare(program)


@like_pytorch
def test_names_of_saved_answers(torch):
    m = torch.ones(2, 3, requires_grad=True)
    nodes = [m.mm(m.t()).grad_fn, m.mean().grad_fn]
    weight = torch.nn.functional.embedding(torch.tensor([0, 1]), m).grad_fn
    return (
        *(tuple(nodes[0]._saved_self_sym_strides), tuple(nodes[0]._saved_mat2_sym_sizes)),
        *(nodes[1]._saved_self_sym_numel, weight._saved_weight_sym_argsize_0),
    )


@like_pytorch
def test_a_node_shows_what_pytorchs_formulas_need(torch):
    x = torch.rand(4, 4, requires_grad=True)
    results = [
        *(x / 2, x.div(x), x.div(x, rounding_mode="floor"), x.gather(0, torch.zeros(1, 4).long())),
        *(torch.cat([x, x]), x.amax(0), x.var(), x.as_strided((2,), (1,)), x.unbind()[0]),
        *(torch.linalg.qr(x)[0], torch.linalg.svd(x)[1].sum(), x.logsumexp(0), x.take(x.argmax())),
        *(torch.expand_copy(x, (2, 4, 4)), torch.celu_(x.clone()), x.prod(0), x.nansum(0)),
    ]
    return [
        (y.grad_fn.name(), sorted(n for n in dir(y.grad_fn) if n.startswith("_saved_")))
        for y in results
        if "Svd" not in y.grad_fn.name()
    ]


@like_pytorch
def test_saved_integers_are_shown_without_their_sign(torch):
    m = torch.ones(2, 3, requires_grad=True)
    functional = torch.nn.functional
    table = torch.ones(2, 3, dtype=torch.double, requires_grad=True)
    loss = functional.nll_loss(table, torch.tensor([0, 1]), ignore_index=-100)
    return (
        *(m.sum(-1).grad_fn._saved_dim, m.unsqueeze(-1).grad_fn._saved_dim),
        *(m.topk(1, -1)[0].grad_fn._saved_dim, m.flip(0, -1).grad_fn._saved_dims),
        *(m.add(m, alpha=-1).grad_fn._saved_alpha, loss.grad_fn._saved_ignore_index),
        *(m[:, :-1].grad_fn._saved_end, m.split([1, 2], -1)[0].grad_fn._saved_dim),
    )


@like_pytorch
def test_what_nodes_save_that_their_formulas_do_not_read(torch):
    m = torch.ones(2, 3, requires_grad=True)
    image = torch.ones(1, 1, 3, 3, requires_grad=True)
    index = torch.tensor([[0, 1], [1, 0]])
    convolved = [torch.nn.Conv2d(1, 1, 3, bias=bias)(image) for bias in (True, False)]
    return (
        *[c.grad_fn._saved_bias_sym_sizes_opt for c in convolved],
        *(m.expand(4, 2, 3).grad_fn._saved_self_sym_sizes, m.mean(0).grad_fn._saved_self_sym_numel),
        m.gather(1, index, sparse_grad=False).grad_fn._saved_sparse_grad,
        torch.nn.functional.embedding(index, m).grad_fn._saved_sparse,
        torch.linalg.lu_factor(m @ m.T)[0].grad_fn._saved_pivot,
        torch.linalg.svd(m)[1].grad_fn._saved_full_matrices,
        m[index[0]].grad_fn._saved_indices,
        m.index_add(0, index[0], m).grad_fn._saved_source_dim,
        [name for name in dir(m.softmax(0).grad_fn) if name.startswith("_saved_")],
    )


@like_pytorch
def test_attributes_that_cannot_be_deleted(torch):
    def refused(name):
        try:
            delattr(x, name)
        except RuntimeError as error:
            return str(error)
        return None

    x = torch.ones(2, requires_grad=True)
    x.grad = torch.ones(2)
    texts = [
        refused(n)
        for n in (
            "requires_grad",
            "_grad_fn",
            "_backward_hooks",
            "_post_accumulate_grad_hooks",
            "data",
        )
    ]
    first = x._grad
    del x._grad
    y = x * 2
    y._grad_fn = None
    return texts, first, x.grad, y.grad_fn, y.requires_grad


def test_only_none_is_a_history_that_can_be_assigned():
    compare(lambda torch: setattr(torch.ones(1, requires_grad=True) * 2, "_grad_fn", 3))


CONVERSIONS = {
    "float": float,
    "complex": complex,
    "int": int,
    "bool": bool,
    "item": lambda t: t.item(),
}


@pytest.mark.parametrize("kind", CONVERSIONS)
@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize("enabled", [True, False])
def test_a_number_of_a_recorded_tensor_is_warned_of(kind, recorded, enabled):
    def program(torch):
        before = torch.is_warn_always_enabled()
        torch.set_warn_always(True)
        try:
            with torch.set_grad_enabled(enabled):
                return CONVERSIONS[kind](torch.tensor(2.0, requires_grad=recorded))
        finally:
            torch.set_warn_always(before)

    compare(program)


ONCE = {
    "index_reduce": lambda t: t.ones(2).index_reduce(0, t.tensor([0]), t.ones(1), "amax"),
    "deprecated overload": lambda t: t.add(t.ones(1), 2, t.ones(1)),
    "imaginary part": lambda t: t.ones(1, dtype=t.complex64).float(),
    "meshgrid": lambda t: t.meshgrid(t.ones(1), t.ones(1)),
    "where": lambda t: t.where(t.ones(1).byte(), t.ones(1), t.ones(1)),
    "frozen array": lambda t: t.from_numpy(np.broadcast_to(np.ones(1), 2)),
}


@pytest.mark.parametrize("function", ONCE.values(), ids=ONCE)
def test_each_warning_that_is_given_once_is_given_always_on_request(function):
    def program(torch):
        torch.set_warn_always(True)
        try:
            function(torch)
            function(torch)
        finally:
            torch.set_warn_always(False)

    compare(program)


def test_warnings_that_are_given_once_are_given_always_on_request():
    def program(torch):
        texts = []
        torch.set_warn_always(True)
        try:
            for _ in range(2):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    (torch.ones(1, requires_grad=True) * 2).backward(create_graph=True)
                texts += [str(w.message).split(" (Triggered")[0] for w in caught]
        finally:
            torch.set_warn_always(False)
        return texts

    compare(program)


HOOKS = {
    "the leaf": lambda t, p: p,
    "another tensor": lambda t, p: t.ones(2),
    "a number": lambda t, p: 3,
    "nothing": lambda t, p: None,
}


@pytest.mark.parametrize("case", HOOKS)
def test_what_a_hook_after_accumulation_may_return(case):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        x.register_post_accumulate_grad_hook(lambda p: HOOKS[case](torch, p))
        x.sum().backward()
        return x.grad

    compare(program)


ARGUMENTS = {
    "more gradients than roots": lambda t, a: t.autograd.grad((a * 2,), a, (t.ones(2), t.ones(2))),
    "fewer gradients than roots": lambda t, a: t.autograd.grad((a * 2, a * 3), a, (t.ones(2),)),
    "no inputs": lambda t, a: t.autograd.grad(a.sum(), []),
    "nothing": lambda t, a: t.autograd.grad([], []),
    "no tensors": lambda t, a: t.autograd.backward(a.sum(), inputs=3),
    "an empty mapping": lambda t, a: t.autograd.backward(a.sum(), inputs={}),
    "a node": lambda t, a: (
        (a * 2).grad_fn.requires_grad,
        setattr((a * 2).grad_fn, "requires_grad", 1),
    ),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_arguments(case):
    compare(lambda torch: ARGUMENTS[case](torch, torch.ones(2, requires_grad=True)))


@like_pytorch
def test_setting_version_counters(torch):
    setter = torch._C._autograd._unsafe_set_version_counter
    x = torch.ones(2)
    setter((x,), (5,))
    seen = [x._version]
    for tensors, versions in (((x,), (-1,)), ((x,), (1, 2))):
        try:
            setter(tensors, versions)
        except RuntimeError as error:
            seen.append(str(error))
    return seen, x._version


@like_pytorch
def test_gradients_of_objects_with_torch_function(torch):
    class Duck:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, len(args), sorted(kwargs)

    return torch.autograd.grad(Duck(), Duck()), torch.autograd.backward(Duck())


@like_pytorch
def test_a_weak_reference_to_a_tensor(torch):
    x = torch.ones(2)
    reference = torch._C._WeakTensorRef(x)
    before = reference.expired()
    del x
    return before, reference.expired()


@like_pytorch
def test_data_of_another_layout(torch):
    x = torch.ones(2)
    x.data = torch.ones(2).to_sparse()


@like_pytorch
def test_zeros_laid_out_like_another_tensor(torch):
    zeros = torch.ops.aten._new_zeros_with_same_feature_meta
    shown = []
    for other in (
        torch.ones(3, 4).t(),
        torch.ones(10)[2:6],
        torch.tensor(1.0),
        torch.ones(4, 3)[:, 1:],
    ):
        made = zeros(torch.ones(5, 2), other, self_num_batch_dims=1)
        shown.append((made.stride(), made.storage_offset(), made.untyped_storage().nbytes(), made))
    return shown


@pytest.mark.parametrize(
    "program",
    [
        lambda torch: torch._C._functions.DelayedError(3, 1),
        lambda torch: torch._C._functions.DelayedError("text", "1"),
        lambda torch: torch.ones(3)[:2]._rev_view_func_unsafe(3),
    ],
)
def test_what_is_no_text_no_number_and_no_view(program):
    compare(program)
