"""Operations inside a transform, and the errors of those that it does not support."""

import math
import warnings

import pytest

import minitorch
from tests.both import compare, like_pytorch, outcome, real
from tests.func.inputs import numbers


def _no_grad_inside(torch):
    def f(x):
        with torch.no_grad():
            c = x**2
        return x**3 - c

    return f


@like_pytorch
def test_no_grad_inside_is_respected_by_all_levels(torch):
    f = _no_grad_inside(torch)
    x = torch.tensor(2.0, requires_grad=True)
    func = torch.func
    first = func.grad(f)(x)
    return (
        first,
        torch.autograd.grad(first, x),
        func.grad(func.grad(f))(x),
        func.grad(func.grad(func.grad(f)))(x),
        func.vjp(f, x)[1](torch.ones(())),
        func.jacrev(f)(x),
        torch.autograd.grad(func.vmap(f)(x.expand(2)).sum(), x),
        func.grad(lambda x: func.vmap(f)(x.expand(2)).sum())(x),
    )


@like_pytorch
def test_no_grad_outside_is_not(torch):
    f = _no_grad_inside(torch)
    x = torch.tensor(2.0, requires_grad=True)
    with torch.no_grad():
        value, vjp_fn = torch.func.vjp(f, x)
        inside = vjp_fn(torch.ones(()))
        found = [
            torch.func.grad(f)(x),
            torch.func.grad(torch.func.grad(f))(x),
            torch.func.grad(lambda x: x * torch.func.grad(f)(x))(x),
            torch.func.hessian(f)(x),
            value,
            inside,
        ]
    return found, vjp_fn(torch.ones(())), torch.is_grad_enabled()


@like_pytorch
def test_no_grad_between_two_levels(torch):
    def g(x):
        with torch.no_grad():
            return torch.func.grad(lambda x: x**3)(x)

    x = torch.tensor(2.0)
    return torch.func.grad(lambda x: g(x) + x)(x), torch.func.grad(g)(x)


@like_pytorch
def test_enable_grad_inside_no_grad(torch):
    def f(x):
        with torch.no_grad(), torch.enable_grad():
            return x**2

    with torch.no_grad():
        return torch.func.grad(f)(torch.tensor(2.0, requires_grad=True))


@like_pytorch
def test_inference_mode_outside(torch):
    with torch.inference_mode():
        x = numbers(torch, 3)
        value, vjp_fn = torch.func.vjp(torch.exp, numbers(torch, 3))
        return (
            value + 0,
            vjp_fn(torch.ones(3))[0] + 0,
            torch.func.grad(lambda x: x.exp().sum())(x) + 0,
        )


@like_pytorch
def test_what_a_tensor_says_of_itself(torch):
    seen = []

    def f(x):
        y = x * 2
        seen.append((x.requires_grad, x.is_leaf, x.grad_fn is None, x.dtype, x.shape, x.stride()))
        seen.append((y.requires_grad, y.is_leaf, y.grad_fn.name(), x.detach().requires_grad))
        seen.append((x[0].item(), bool(x[0] < 0), x.tolist(), x.dim(), len(x)))
        return y.sum()

    torch.func.grad(f)(numbers(torch, 3))
    return [
        [str(item) if not isinstance(item, (float, list)) else item for item in s] for s in seen
    ]


def _inside(torch, transform, action):
    x = numbers(torch, 3)

    def f(x):
        action(torch, x)
        return (x * 2).sum()

    func = torch.func
    return {
        "grad": lambda: func.grad(f)(x),
        "jvp": lambda: func.jvp(f, (x,), (x,)),
        "vmap": lambda: func.vmap(f)(numbers(torch, 2, 3)),
        "jacrev": lambda: func.jacrev(f)(x),
    }[transform]()


ACTIONS = {
    "backward": lambda torch, x: (x * 2).sum().backward(),
    "autograd.backward": lambda torch, x: torch.autograd.backward((x * 2).sum(), inputs=[x]),
    "requires_grad_": lambda torch, x: x.requires_grad_(),
    "requires_grad_(False)": lambda torch, x: x.requires_grad_(False),
    "requires_grad_ of a new tensor": lambda torch, x: torch.ones(2).requires_grad_(),
    "retain_grad": lambda torch, x: (x * 2).retain_grad(),
    "setter": lambda torch, x: setattr(torch.ones(2), "requires_grad", True),
    "factory": lambda torch, x: torch.ones(2, requires_grad=True),
    "parameter": lambda torch, x: torch.nn.Parameter(torch.ones(2)),
    "hook": lambda torch, x: x.register_hook(lambda g: g) if x.requires_grad else None,
    "functional": lambda torch, x: torch.autograd.functional.jacobian(torch.sin, torch.ones(2)),
    "saved tensors hooks": lambda torch, x: torch.autograd.graph.saved_tensors_hooks(
        lambda t: t, lambda t: t
    ).__enter__(),
}


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap", "jacrev"])
@pytest.mark.parametrize("action", ACTIONS)
def test_actions(action, transform):
    if (action, transform) in {("saved tensors hooks", "jvp"), ("saved tensors hooks", "vmap")}:
        pytest.skip("allowed there, and not left")
    compare(lambda torch: _inside(torch, transform, ACTIONS[action]))


@like_pytorch
def test_saved_tensors_hooks_outside(torch):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        return torch.func.grad(torch.sum)(numbers(torch, 3))


@like_pytorch
def test_autograd_grad_inside(torch):
    x = numbers(torch, 3)

    def f(create_graph):
        def inner(x):
            (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=create_graph)
            return (g * x).sum()

        return inner

    return torch.func.grad(f(True))(x), torch.func.grad(f(False))(x)


@like_pytorch
def test_the_graph_outside_is_not_changed(torch):
    x = numbers(torch, 3)
    w = numbers(torch, 3).requires_grad_()
    torch.func.grad(lambda x: (x * w).sum())(x)
    torch.func.jacrev(lambda x: x * w)(x)
    return w.grad is None, x.requires_grad, x.grad is None, w.requires_grad


@like_pytorch
def test_tensors_that_escape(torch):
    kept = []

    def f(x):
        y = x.sin()
        kept.extend([x, y])
        return (y * x).sum()

    func = torch.func
    x = numbers(torch, 3)
    found = [
        func.grad(f)(x),
        func.vmap(f)(numbers(torch, 2, 3)),
        func.grad(func.grad(lambda x: f(x)))(x[0]),
    ]
    x1, y1 = kept[:2]
    found += [y1 + 1, x1 * 2, torch.stack([x1, y1]), func.grad(lambda v: (v * y1).sum())(x)]
    found += [
        func.vmap(lambda v: v * y1)(numbers(torch, 2, 3)),
        func.jvp(lambda v: v * y1, (x,), (x,)),
    ]
    return found


@like_pytorch
def test_arguments_that_are_no_tensors(torch):
    def f(x, n, name, flag=False, other=None):
        assert (n, name, other) == (2, "sum", None)
        return getattr(x**n, name)() * (2 if flag else 1)

    x = numbers(torch, 3)
    return torch.func.grad(f)(x, 2, "sum", flag=True), torch.func.hessian(f)(x, 2, "sum")


def test_debug_unwrap():
    import minitorch

    def f(x):
        (inner,) = [minitorch.func.debug_unwrap(x)]
        assert minitorch.func.debug_unwrap(inner) is inner
        assert inner.tolist() == [[0.0, 1.0], [2.0, 3.0]]
        assert minitorch.func.debug_unwrap(x, recurse=False).shape == (2,)
        return x.sum()

    batch = minitorch.arange(4.0).reshape(2, 2)
    minitorch.func.vmap(minitorch.func.grad(f))(batch)
    assert minitorch.func.debug_unwrap(batch) is batch


@like_pytorch
def test_modules_inside(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    params = dict(net.named_parameters())
    x, y = numbers(torch, 5, 3), torch.tensor([0, 1, 1, 0, 1])
    func = torch.func

    def loss(params, x, y):
        out = func.functional_call(net, params, (x,))
        return torch.nn.functional.cross_entropy(out, y)

    whole = func.grad(loss)({k: v.detach() for k, v in params.items()}, x, y)
    samples = func.vmap(func.grad(loss), in_dims=(None, 0, 0))(
        {k: v.detach() for k, v in params.items()}, x.unsqueeze(1), y.unsqueeze(1)
    )
    models = [torch.nn.Linear(3, 2) for _ in range(4)]
    stacked, buffers = func.stack_module_state(models)
    ensemble = func.vmap(
        lambda p, b, x: func.functional_call(models[0], (p, b), (x,)), in_dims=(0, 0, None)
    )(stacked, buffers, x)
    return whole, samples, ensemble.detach(), func.grad(loss)(params, x, y)["0.bias"].requires_grad


@like_pytorch
def test_replace_all_batch_norm_modules(torch):
    net = torch.nn.Sequential(
        torch.nn.BatchNorm1d(3), torch.nn.Sequential(torch.nn.BatchNorm2d(2)), torch.nn.Linear(1, 1)
    )
    assert torch.func.replace_all_batch_norm_modules_(net) is net
    assert torch.func.replace_all_batch_norm_modules_(net[0]) is net[0]
    return [n for n, _ in net.named_buffers()], net[0].track_running_stats, net[1][0].running_var


@like_pytorch
def test_a_tensor_made_of_one_inside_has_no_history(torch):
    def f(x):
        return torch.tensor(x) * x

    func, x = torch.func, torch.tensor(3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return (
            func.grad(f)(x),
            func.grad(func.grad(f))(x),
            func.vmap(func.grad(f))(torch.ones(2)),
            func.grad(lambda x: x.new_tensor(x) * x)(x),
        )


@like_pytorch
def test_a_mask_without_dimensions_is_refused_in_a_batch(torch):
    with pytest.raises(RuntimeError, match="vmap: "):
        torch.func.vmap(lambda x: x[x > 0])(torch.ones(3))


@pytest.mark.parametrize("look", ["item", "is_nonzero", "__bool__", "storage", "untyped_storage"])
@pytest.mark.parametrize("outer", ["vmap", "grad"])
@pytest.mark.parametrize("inner", ["vmap", "grad", "jvp"])
def test_elements_are_refused_by_the_innermost_transform(outer, inner, look):
    if (outer, inner) == ("grad", "jvp") or (inner == "jvp" and "storage" in look):
        pytest.skip("jvp wraps nothing here")

    def program(torch):
        func = torch.func

        def f(x):
            getattr(x.sum(), look)()
            return x.sum()

        def one(x):
            if inner == "grad":
                return func.grad(f)(x).sum()
            return func.jvp(f, (x,), (x,))[1] if inner == "jvp" else func.vmap(f)(x).sum()

        found = getattr(func, outer)(one)(numbers(torch, 2, 2))
        return found if look in ("item", "is_nonzero", "__bool__") else None

    compare(program)


@like_pytorch
def test_a_tensor_inside_of_jvp_is_shown(torch):
    shown = []

    def f(x):
        shown.append(repr(x))
        shown.append(repr(x.sum()))
        return x.sin()

    x = numbers(torch, 3)
    torch.func.jacfwd(f)(x)
    torch.func.jvp(f, (x,), (x,))
    torch.func.vmap(lambda x: torch.func.jvp(f, (x,), (x,))[1])(x[None])
    return shown


@like_pytorch
def test_checkpoints_inside_of_transforms(torch):
    checkpoint = __import__(f"{torch.__name__}.utils.checkpoint", fromlist="_").checkpoint

    def f(x):
        return checkpoint(lambda x: x.sin() * x, x, use_reentrant=False)

    x = numbers(torch, 2, 3)
    return [
        torch.func.vmap(f)(x),
        torch.func.jvp(f, (x,), (x,)),
        torch.func.jacfwd(f)(x[0]),
        torch.func.jvp(torch.func.vmap(f), (x,), (x,)),
    ]


@like_pytorch
def test_strides_follow_a_transposition_in_place(torch):
    def f(x):
        x = x.clone()
        x.swapaxes_(0, 1)
        return x.flatten(), x.t_().reshape(-1)

    return torch.func.vmap(f)(numbers(torch, 3, 2, 2))


@pytest.mark.parametrize("name", "add mul maximum div eq addcmul lerp logaddexp".split())
def test_a_sample_without_dimensions_and_a_number_promote_each_other(name):
    def program(torch):
        def apply(x, y):
            return getattr(torch, name)(x, y, *[0.5] * (name == "lerp"), *[y] * (name == "addcmul"))

        found = []
        for dtype in (torch.float32, torch.float64, torch.int64, torch.float16):
            for other in (torch.float32, torch.float64, torch.int64):
                x, y = torch.ones(3, dtype=dtype), torch.ones((), dtype=other)
                for f in (lambda x, y=y: apply(x, y), lambda x, y=y: apply(y, x)):
                    try:
                        found.append(str(torch.func.vmap(f)(x).dtype).split(".")[1])
                    except RuntimeError:
                        found.append("raises")
        return found

    compare(program)


@like_pytorch
def test_linearize_takes_no_integers(torch):
    return torch.func.linearize(lambda x, y: x * y, numbers(torch, 3), torch.arange(3))


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize(
    "method, arguments",
    [
        ("t_", ()),
        ("transpose_", (0, 1)),
        ("unsqueeze_", (0,)),
        ("unsqueeze_", (-1,)),
        ("squeeze_", ()),
        ("squeeze_", (1,)),
    ],
)
def test_another_shape_in_place_wherever_the_batch_is(method, arguments, dim):
    def program(torch):
        def f(x):
            x = x.clone()
            same = getattr(x, method)(*arguments) is x
            return x, x * 2, x.flatten(), torch.tensor(same)

        shape = (2, 3, 2) if dim == 2 else (2, 3, 1)  # a batch of 1 is squeezed away in PyTorch
        x = numbers(torch, *shape).requires_grad_()
        found = torch.func.vmap(f, in_dims=dim)(x)
        (grad,) = torch.autograd.grad((found[1] * numbers(torch, *found[1].shape)).sum(), x)
        return [t.detach().contiguous() for t in (*found, grad)]

    compare(program)


@like_pytorch
def test_a_tensor_that_is_detached_in_place_has_no_tangent(torch):
    def f(x):
        y = x.clone()
        y.detach_()
        return y, x * y

    x = numbers(torch, 3)
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        parts = [tuple(forward_ad.unpack_dual(t)) for t in f(forward_ad.make_dual(x, x))]
    return torch.func.jvp(f, (x,), (x,)), parts


@pytest.mark.parametrize("outer", ["same", "different"])
@pytest.mark.parametrize("name", ["uniform_", "dropout", "bernoulli"])
def test_randomness_is_that_of_the_innermost_batch(name, outer):
    def program(torch):
        def draw(x):
            if name == "uniform_":
                return x.clone().uniform_()
            return torch.nn.functional.dropout(x) if name == "dropout" else torch.bernoulli(x)

        def f(x):
            return torch.func.vmap(lambda y: draw(x) * y)(torch.ones(2))

        return torch.func.vmap(f, randomness=outer)(torch.ones(2, 3))

    compare(program)


@pytest.mark.parametrize("shape", [(3,), (3, 3)])
@pytest.mark.parametrize(
    "name", "qr inv det slogdet svd eigh eigvals eig cholesky lu lu_factor pinv matrix_exp".split()
)
def test_a_batch_is_no_dimension_of_a_matrix(name, shape):
    compare(lambda torch: torch.func.vmap(getattr(torch.linalg, name))(torch.ones(shape)))


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (2, 3), (3,)])
@pytest.mark.parametrize("name", ["index_add", "index_copy"])
def test_a_source_is_not_broadcast(name, shape):
    def program(torch):
        def f(x, source):
            return getattr(x, name)(0, torch.tensor([0]), source)

        return torch.func.vmap(f)(numbers(torch, 2, 2, 3), numbers(torch, 2, *shape))

    compare(program)
    # the other is a scatter there, which takes a corner of a source that is larger
    larger = name == "index_copy" and shape in ((1, 4), (2, 3))
    assert outcome(program, minitorch)[0] == ("returned" if larger else "raised")


@like_pytorch
def test_distinct_values_have_no_tangents(torch):
    x = numbers(torch, 3)
    return torch.func.jvp(torch.unique, (x,), (x,))


REFUSED_IN_A_BATCH = {
    "a dimension of argmax": lambda torch, a: a.argmax(3),
    "a dimension of argmin from the end": lambda torch, a: a.argmin(-3),
    "a dimension of quantile": lambda torch, a: a.quantile(0.5, 2),
    "a dimension of cross": lambda torch, a: torch.linalg.cross(a, a, dim=7),
    "another count of dimensions in cross": lambda torch, a: torch.linalg.cross(a, a[0]),
    "three elements in cross": lambda torch, a: torch.linalg.cross(a[:, :2], a[:, :2]),
    "sizes of split": lambda torch, a: a.split([1, 1], -1),
    "an element of a scalar": lambda torch, a: a[0, 0].select(0, 0),
    "parts of a scalar": lambda torch, a: a[0, 0].unbind(0),
    "too many dimensions in permute": lambda torch, a: a.permute(0, 1, 2),
    "a dimension that permute lacks": lambda torch, a: a.permute(0),
    "permute of a scalar": lambda torch, a: a[0, 0].permute(0),
    "two sizes to infer": lambda torch, a: a.view(-1, -1),
    "a size that does not divide": lambda torch, a: a.reshape(4, -1),
    "a mask of another length": lambda torch, a: a[[True, False, True]],
    "a mask behind": lambda torch, a: a[:, torch.tensor([True])],
    "a place of index_select": lambda torch, a: a.index_select(1, torch.tensor([7])),
    "a place of slice_scatter": lambda torch, a: a.slice_scatter(a[:, :1], 1, 0, 2),
    "a place of select_scatter": lambda torch, a: a.select_scatter(a[0], 0, 7),
    "a source of select_scatter": lambda torch, a: a.select_scatter(a, 0, 0),
    "values of index_put": lambda torch, a: a.index_put((torch.tensor([0]),), a.new_ones(2, 3)),
    "a result to write to": lambda torch, a: torch.sin(a, out=a),
    "a result of several tensors": lambda torch, a: torch.cat([a, a], out=torch.ones(4, 3)),
    "a dimension of stack": lambda torch, a: torch.stack([a, a[0]], -1),
    "truth of several elements": lambda torch, a: bool(a),
    "a format of resize_": lambda torch, a: a.resize_(2, memory_format=torch.channels_last),
    "numbers into a sample": lambda torch, a: torch.rand(2, 3, out=a),
    "classes that are not counted": lambda torch, a: torch.nn.functional.one_hot(a.long()),
    "classes that are no integers": lambda torch, a: torch.nn.functional.one_hot(a.int(), 3),
    "no shape to normalize": lambda torch, a: torch.nn.functional.layer_norm(a, [], a, a),
    "numbers into a tensor": lambda torch, a: torch.randn(3, out=torch.ones(3)),
}


@pytest.mark.parametrize("name", REFUSED_IN_A_BATCH)
def test_what_is_wrong_with_a_batch_is_said_of_it(name):
    call = REFUSED_IN_A_BATCH[name]
    compare(lambda torch: torch.vmap(lambda a: call(torch, a))(torch.arange(12.0).reshape(2, 2, 3)))
    assert (
        outcome(lambda torch: torch.vmap(lambda a: call(torch, a))(torch.ones(2, 2, 3)), minitorch)[
            0
        ]
        == "raised"
    )


@pytest.mark.parametrize("shape", [(2,), (2, 3), (2, 0)])
def test_a_number_that_is_no_class_is_equal_to_none_in_a_batch(shape):
    def program(torch):
        x = torch.arange(-1, math.prod(shape) - 1).reshape(shape)
        return torch.vmap(lambda t: torch.nn.functional.one_hot(t, 3))(x)

    compare(program)


@like_pytorch
def test_a_source_of_a_scatter_is_broadcast_in_a_batch(torch):
    x = torch.arange(24.0).reshape(2, 3, 4)
    return torch.vmap(lambda a: a.select_scatter(a[0, :1], 0, 1))(x)


@pytest.mark.parametrize("action", ["x.resize_(2)", "x.set_(torch.ones(2))", "y.set_(x)"])
def test_memory_is_not_exchanged_under_a_tangent(action):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        with forward_ad.dual_level():
            x = forward_ad.make_dual(torch.ones(3), torch.ones(3))
            eval(action, {"x": x, "y": torch.ones(3), "torch": torch})

    compare(program)


@like_pytorch
def test_a_level_that_was_never_entered(torch):
    torch.autograd.forward_ad.make_dual(torch.ones(3), torch.ones(3), level=0)


@pytest.mark.parametrize("name", ["conj", "conj_physical", "positive", "resolve_conj", "real"])
@pytest.mark.parametrize("transform", ["grad", "jvp", "batched"])
def test_what_gives_its_argument_gives_it_without_recording_too(transform, name):
    def program(torch):
        func = torch.func

        def f(x):
            with torch.no_grad():
                y = getattr(torch, name)(x)
            return y.sum()

        x = numbers(torch, 3)
        if transform == "grad":
            return func.grad(f)(x)
        return func.jvp(f, (x,), (x,)) if transform == "jvp" else func.vmap(func.grad(f))(x[None])

    compare(program)


@pytest.mark.parametrize("batch", [0, None])
def test_statistics_of_instances_that_are_captured_are_updated(batch):
    def program(torch):
        mean, variance = torch.zeros(2, 3), torch.ones(2, 3)

        def f(x, mean, variance):
            norm = lambda x: torch.nn.functional.instance_norm(x, mean, variance)  # noqa: E731
            return torch.func.vjp(norm, x)[0]

        x = torch.arange(24.0).view(2, 1, 3, 4)
        result = torch.vmap(f, (batch, 0, 0))(x if batch == 0 else x[0], mean, variance)
        return result, mean, variance

    compare(program, 1e-5)


def _places(torch):
    return torch.tensor([[0, 1, 1], [2, 0, 2]])


SPARSE = {
    "there and back": lambda torch, x: x.to_sparse().to_dense() * x,
    "a number": lambda torch, x: (x.to_sparse() * 2).to_dense(),
    "two": lambda torch, x: (x.to_sparse() * x.to_sparse()).to_dense(),
    "sum": lambda torch, x: torch.sparse.sum(x.to_sparse()) * x,
    "sum of rows": lambda torch, x: torch.sparse.sum(x.to_sparse() * x.to_sparse(), 1).to_dense(),
    "values": lambda torch, x: x.to_sparse().values() ** 2,
    "made": lambda torch, x: (
        torch.sparse_coo_tensor(_places(torch), x.flatten()[:3], (2, 3)).to_dense() ** 2
    ),
    "coalesced": lambda torch, x: (
        torch.sparse_coo_tensor(_places(torch) * 0, x.flatten()[:3], (2, 3)).coalesce().values()
        ** 2
    ),
    "mask": lambda torch, x: x.sparse_mask(torch.eye(2, 3).to_sparse()).to_dense() * x,
    "product": lambda torch, x: torch.sparse.mm(torch.eye(2).to_sparse(), x) ** 2,
    "operator": lambda torch, x: (torch.eye(2).to_sparse() @ x) ** 2,
    "softmax": lambda torch, x: torch.sparse.softmax(x.to_sparse(), 1).to_dense() * x,
    "what it says": lambda torch, x: (
        x * sum(map(len, (str(x.to_sparse().layout), str(x.to_sparse().is_sparse))))
    ),
}


@pytest.mark.parametrize("transform", ["grad", "vmap", "jvp"])
@pytest.mark.parametrize("case", SPARSE)
def test_sparse_tensors_on_the_way(case, transform):
    def program(torch):
        x, func = torch.arange(1.0, 7.0).view(2, 3).sin(), torch.func

        def f(x):
            return SPARSE[case](torch, x)

        return {
            "grad": lambda: func.grad(lambda x: f(x).sum())(x),
            "vmap": lambda: func.vmap(lambda y: y * f(x).sum())(x),
            "jvp": lambda: func.jvp(f, (x,), (x,)),
        }[transform]()

    if outcome(program, real)[0] == "raised":
        assert transform == "jvp"  # which PyTorch has not for all of them
        return
    compare(program, tolerance=1e-5)


def test_second_derivatives_of_a_sparse_softmax():
    def squares(x):
        return (minitorch.sparse.softmax(x.to_sparse(), 1).to_dense() ** 2).sum()

    def dense(x):
        return (x.softmax(1) ** 2).sum()

    x = minitorch.arange(1.0, 7.0).view(2, 3).double().sin()
    grad = minitorch.func.grad
    found = grad(lambda x: (grad(squares)(x) ** 2).sum())(x)
    minitorch.testing.assert_close(found, grad(lambda x: (grad(dense)(x) ** 2).sum())(x))


SPARSE_GRADIENTS = {
    "embedding": lambda torch, x: torch.nn.functional.embedding(
        torch.tensor([0, 1, 0]), x, sparse=True
    ),
    "embedding_bag": lambda torch, x: torch.nn.functional.embedding_bag(
        torch.tensor([[0, 1], [1, 1]]), x, sparse=True, mode="sum"
    ),
    "gather": lambda torch, x: torch.gather(x, 0, torch.tensor([[0, 1, 0]]), sparse_grad=True),
    "of a sparse one": lambda torch, x: x.to_sparse().to_dense(),
}


@pytest.mark.parametrize("case", SPARSE_GRADIENTS)
def test_sparse_gradients_of_transforms(case):
    def program(torch):
        def f(x):
            return (SPARSE_GRADIENTS[case](torch, x) ** 2).sum()

        x = torch.arange(1.0, 7.0).view(2, 3)
        x = x.to_sparse() if case == "of a sparse one" else x
        gradient, value = torch.func.grad_and_value(f)(x)
        return str(gradient.layout), gradient.to_dense(), value

    compare(program)


def test_samples_become_no_sparse_tensors():
    def program(torch):
        func = torch.func
        return func.vmap(lambda x: x.to_sparse().to_dense())(torch.ones(2, 3))

    for torch in (minitorch, real):
        kind, name, text = outcome(program, torch)
        assert (kind, name) == ("raised", "NotImplementedError")
        assert text.startswith("Could not run 'aten::view' with arguments from the 'SparseCPU'")


SET = {
    "a leaf": lambda torch, x: x.set_(x * 2),
    "a view of a leaf": lambda torch, x: x[:2].set_(x * 2),
    "a result": lambda torch, x: (x * 1).set_(x * 2),
    "what is detached": lambda torch, x: x.detach().set_(x * 2),
}


@pytest.mark.parametrize("case", SET)
def test_other_memory_is_refused_as_a_write_first(case):
    def program(torch):
        return torch.func.grad(lambda x: SET[case](torch, x).sum())(torch.ones(3))

    compare(program)


LOGITS = {
    "complex targets": lambda F, x, y: F.binary_cross_entropy_with_logits(x, y * 1j),
    "targets that depend on the input": lambda F, x, y: F.binary_cross_entropy_with_logits(y, x),
    "all weights": lambda F, x, y: F.binary_cross_entropy_with_logits(
        x, y, weight=x * 2, pos_weight=y + 1j, reduction="none"
    ),
    "a sum": lambda F, x, y: F.binary_cross_entropy_with_logits(x, y, reduction="sum"),
    "integer targets": lambda F, x, y: F.binary_cross_entropy_with_logits(x, y.long()),
    "bool targets": lambda F, x, y: F.binary_cross_entropy_with_logits(x, y > 0),
    "complex logits": lambda F, x, y: F.binary_cross_entropy_with_logits(x * 1j, y),
}


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap", "functionalize", "hessian"])
@pytest.mark.parametrize("case", LOGITS)
def test_a_loss_of_logits_is_composed(case, transform):
    def program(torch):
        func = torch.func
        x, y = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, 0.25, 3.0])

        def f(x):
            return LOGITS[case](torch.nn.functional, x, y)

        if transform == "jvp":
            return func.jvp(f, (x,), (y,))
        if transform == "vmap":
            return func.vmap(f)(torch.stack([x, y]))
        if transform == "functionalize":
            return func.functionalize(f)(x)
        found = getattr(func, transform)(lambda x: f(x).abs().sum())(x)
        return found.contiguous()

    compare(program)


@like_pytorch
def test_the_nodes_of_a_loss_of_logits(torch):
    names = []

    def f(x):
        node = torch.nn.functional.binary_cross_entropy_with_logits(x, x).grad_fn
        while node is not None:
            names.append(node.name())
            node = node.next_functions[0][0]
        return x.sum()

    torch.func.grad(f)(torch.ones(2))
    return names


@like_pytorch
def test_a_loss_of_logits_is_one_operator_elsewhere(torch):
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    x = torch.ones(2, requires_grad=True)
    jacobian = torch.autograd.functional.jacobian(lambda x: loss(x, x), x, vectorize=True)
    return loss(x, x).grad_fn.name(), jacobian


FILLED = {
    "without a tangent": lambda a, b: b.clone().fill_(a),
    "with a tangent": lambda a, b: (a * b).fill_(a),
    "with a longer one": lambda a, b: b.expand(2).clone().fill_(a),
    "with its sum": lambda a, b: a.clone().fill_(a.sum()),
    "with a constant": lambda a, b: (a * 2).fill_(b),
}


@pytest.mark.parametrize("transform", ["jacfwd", "jacrev", "hessian"])
@pytest.mark.parametrize("case", FILLED)
def test_a_tangent_without_a_batch_is_not_filled_with_one(case, transform):
    def program(torch):
        b = torch.tensor(2.0)
        return getattr(torch.func, transform)(lambda a: FILLED[case](a, b))(torch.tensor(3.0))

    compare(program)


WITHOUT_GRAD = {
    "a product": lambda a: a * 2,
    "a function": lambda a: a.sin(),
    "a view": lambda a: a.view(2, 1),
    "in place": lambda a: a.clone().mul_(3),
    "a copy": lambda a: a.clone().copy_(a),
    "the input": lambda a: a,
}


NOT_FINITE = {
    "zero_": lambda torch, a: torch.log(a.clone().zero_()),
    "fill_": lambda torch, a: torch.digamma(a.clone().fill_(0.0)),
    "a product": lambda torch, a: torch.sqrt(a * 0),
    "one element": lambda torch, a: torch.log(a * torch.tensor([0.0, 1.0])),
    "no tangent": lambda torch, a: torch.zeros(2).log(),
}


@pytest.mark.parametrize("case", NOT_FINITE)
def test_linearize_where_a_slope_is_not_finite(case):
    def program(torch):
        x, v = torch.tensor([0.5, 0.25]), torch.tensor([1.0, 2.0])
        value, jvp_fn = torch.func.linearize(lambda a: NOT_FINITE[case](torch, a), x)
        return value, jvp_fn(v), torch._C._functorch.is_gradtrackingtensor(jvp_fn(v))

    compare(program)


@pytest.mark.parametrize("case", WITHOUT_GRAD)
def test_linearize_has_tangents_in_no_grad(case):
    def program(torch):
        def f(a):
            with torch.no_grad():
                b = WITHOUT_GRAD[case](a)
            with torch.enable_grad():
                return b, b.sum() * a

        x, v = torch.tensor([0.5, 0.25]), torch.tensor([1.0, 2.0])
        values, jvp_fn = torch.func.linearize(f, x)
        with torch.no_grad():
            again = torch.func.linearize(f, x)[1](v)
        return values, jvp_fn(v), again, torch.is_grad_enabled()

    compare(program)
