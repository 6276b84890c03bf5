"""What random programs found: empty products and losses, nan among the most frequent, layouts of gradients."""

import pytest

import minitorch
from tests.both import compare, like_pytorch


def outcome(function):
    try:
        return function()
    except (RuntimeError, IndexError) as error:
        return type(error).__name__, str(error)


def nodes(t):
    node, found = t.grad_fn, []
    while node is not None:
        found.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return found


@pytest.mark.parametrize(
    "shapes", [((0, 2, 3), (0, 3, 2)), ((2, 0, 3), (2, 3, 2)), ((1, 2, 0), (1, 0, 3))]
)
@pytest.mark.parametrize(
    "names", [("bool", "float32"), ("float32", "bool"), ("float32", "float64")]
)
def test_the_dtypes_of_empty_batches_are_not_compared(shapes, names):
    @like_pytorch
    def test(torch):
        a, b = (torch.ones(s).to(getattr(torch, n)) for s, n in zip(shapes, names, strict=True))
        return [
            outcome(lambda f=f: f(a, b))
            for f in (torch.bmm, torch.matmul, lambda a, b: torch.einsum("bij,bjk->bik", a, b))
        ]

    test()


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 3)])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_cross_entropy_with_probabilities(shape, reduction, smoothing):
    @like_pytorch
    def test(torch):
        x = torch.ones(shape, requires_grad=True)
        target = torch.full(shape, 0.5)

        def loss():
            found = torch.nn.functional.cross_entropy(
                x, target, reduction=reduction, label_smoothing=smoothing
            )
            found.sum().backward()
            return found, nodes(found), x.grad

        return outcome(loss)

    test()


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("shapes", [((1,), (1,)), ((3,), (1,)), ((3,), ())])
def test_nll_loss_of_one_sample(reduction, shapes):
    @like_pytorch
    def test(torch):
        x = torch.ones(shapes[0], requires_grad=True)
        target = torch.zeros(shapes[1], dtype=torch.int64)

        def gradients():
            loss = torch.nn.functional.nll_loss(x, target, reduction=reduction)
            return loss, torch.autograd.grad(loss.sum(), [x], create_graph=True)[0]

        return outcome(gradients)

    test()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_logcumsumexp(dtype):
    @like_pytorch
    def test(torch):
        results = []
        inf, nan = float("inf"), float("nan")
        for values in (
            [1 + 2j, 3 - 1j, -2 - 3j, 0.5j],
            [-1 - 3j, -1 + 3j, 2.5j],
            [complex(-inf, 1), 1 + 1j, complex(-inf, 0)],
            [complex(-inf, 1), complex(-inf, 2)],
            [complex(inf, 1), 2 - 3j],
            [complex(nan, 1), 2 - 3j],
        ):
            x = torch.tensor(values, dtype=getattr(torch, dtype), requires_grad=True)
            y = x.logcumsumexp(0)
            results.append(y)
        x = torch.tensor([1 + 2j, 3 - 1j, -2 - 3j], dtype=getattr(torch, dtype), requires_grad=True)
        x.logcumsumexp(0).abs().sum().backward()
        return results, x.grad, x.detach().reshape(3, 1).expand(3, 300).logcumsumexp(0)

    test()


def test_mode_with_nan_between_equal_elements():
    @like_pytorch
    def test(torch):
        nan = float("nan")
        rows = [
            [nan, 1, 2],
            [nan, 2, 1],
            [2, nan, 1],
            [1, nan, nan],
            [nan, nan, 1],
            [nan] * 3,
            [2, 2, nan],
        ]
        rows += [[nan, 1, nan, 2, 1, 2], [nan, nan, 1, 1], [2, 2, 1, 1, nan]]
        return [tuple(torch.tensor(row).mode(-1)) for row in rows]

    test()


def test_take_along_dim_of_an_empty_tensor():
    @like_pytorch
    def test(torch):
        index = torch.zeros((1, 1), dtype=torch.int64)
        return [
            outcome(lambda s=s, d=d: torch.ones(s).take_along_dim(index, d))
            for s in ((0, 0), (3, 0), (2, 3))
            for d in (0, 1)
        ]

    test()


def test_block_diag_promotes_by_rank_and_gives_views_back():
    @like_pytorch
    def test(torch):
        double, half = torch.ones((), dtype=torch.float64), torch.ones((2, 1), dtype=torch.float16)
        x, y, z = (torch.ones(s, requires_grad=True) for s in ((2, 3), (3,), ()))
        joined = torch.block_diag(x, y, z)
        (joined * joined).sum().backward()
        layout = [(p.grad, p.grad.stride(), p.grad.storage_offset()) for p in (x, y, z)]
        dtypes = [str(torch.block_diag(double, t).dtype) for t in (half, half[0])]
        return dtypes, layout

    test()


@pytest.mark.parametrize("eps", [None, 0.1])
@pytest.mark.parametrize("create_graph", [False, True])
def test_logit_keeps_the_layout(eps, create_graph):
    @like_pytorch
    def test(torch):
        x = torch.linspace(-0.2, 1.2, 6).reshape(2, 3).t().requires_grad_()
        (g,) = torch.autograd.grad(x.logit(eps).sum(), x, create_graph=create_graph)
        return g.detach(), g.stride(), nodes(g)[:1]

    test()


def test_isinf_looks_at_no_history():
    @like_pytorch
    def test(torch):
        x = torch.ones(2, 3, requires_grad=True)
        with torch.no_grad():
            part = x.view(-1)
            part.mul_(2)
        return part.isinf(), torch.allclose(part, part), outcome(lambda: part.isfinite())[0]

    test()


@pytest.mark.parametrize("name", ["median", "max", "min", "nanmedian", "amax"])
@pytest.mark.parametrize("create_graph", [False, True])
def test_an_extreme_that_was_changed_behind_the_graph(name, create_graph):
    @like_pytorch
    def test(torch):
        x = torch.linspace(-1, 1, 5, requires_grad=True)
        results = []
        for change in (False, True):
            y = getattr(x, name)()
            if change:
                y.data.fill_(100)
            (g,) = torch.autograd.grad(y * y, x, create_graph=create_graph)
            results += [g, nodes(g)[:1]]
        return results

    test()


@pytest.mark.parametrize("requires_grad", [False, True])
@pytest.mark.parametrize("name", ["median", "nanmedian", "mode"])
def test_selections_from_empty_complex_tensors(name, requires_grad):
    @like_pytorch
    def test(torch):
        x = torch.zeros(2, 0, dtype=torch.complex64, requires_grad=requires_grad)
        select = getattr(torch, name)
        outcomes = [outcome(lambda: select(x)), outcome(lambda: select(x, 0))]
        return (
            outcomes if requires_grad else (outcomes, select(x, 0) if name == "mode" else select(x))
        )

    test()


@like_pytorch
def test_the_derivative_of_qr_without_q_raises(torch):
    r = torch.linalg.qr(torch.eye(2, requires_grad=True), mode="r").R
    r.sum().backward()


@like_pytorch
def test_second_derivatives_of_glu_in_forward_mode_warn_of_the_missing_batching_rule(torch):
    x = torch.linspace(-1, 2, 4, dtype=torch.float64)

    def tangent(direction):
        first = torch.func.grad(lambda x: torch.nn.functional.glu(x).sin().sum())
        return torch.func.jvp(first, (x,), (direction,))[1]

    return torch.vmap(tangent)(torch.eye(4, dtype=torch.float64))


@pytest.mark.parametrize(
    "dtypes", [("float32", "float16"), ("float64", "float32"), ("int64", "float32")]
)
def test_addr_promotes_whatever_the_rank(dtypes):
    @like_pytorch
    def test(torch):
        of_sum, of_vectors = (getattr(torch, n) for n in dtypes)
        v = torch.ones(3, dtype=of_vectors)
        sums = [torch.ones(s, dtype=of_sum) for s in ((), (3,), (3, 3))]
        return [torch.addr(s, v, v, beta=b) for s in sums for b in (0, 1)]

    test()


@pytest.mark.parametrize("dtype", ["bool", "float32", "int32", "int64"])
def test_which_mistake_nll_loss_names(dtype):
    @like_pytorch
    def test(torch):
        loss = torch.nn.functional.nll_loss
        sizes = ((1,), (3,), (2, 3)), ((3,), (1,), ())
        return [
            outcome(lambda s=s, t=t: loss(torch.ones(s), torch.zeros(t).to(getattr(torch, dtype))))
            for s in sizes[0]
            for t in sizes[1]
        ]

    test()


@pytest.mark.parametrize("name", ["deg2rad", "rad2deg"])
def test_nodes_of_angles(name):
    @like_pytorch
    def test(torch):
        x = torch.ones(3, requires_grad=True)
        (g,) = torch.autograd.grad(getattr(x, name)().exp().sum(), x, create_graph=True)
        return nodes(g)

    test()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_infinite_complex_numbers_are_added_in_place(dtype):
    @like_pytorch
    def test(torch):
        x = torch.tensor([complex("inf+nanj"), 1 + 1j], dtype=getattr(torch, dtype))
        index = torch.zeros(2, dtype=torch.int64)
        return x.scatter_add(0, index, x), x.index_put((index,), x, accumulate=True)

    test()


def test_an_index_where_nothing_is_to_be_filled():
    @like_pytorch
    def test(torch):
        return [
            outcome(lambda s=s, d=d: torch.ones(s).index_fill(d, torch.tensor([5]), 2))
            for s, d in (((3, 0), 0), ((0, 0), 0), ((2, 3, 0), 1), ((3,), 0), ((2, 3), 1))
        ]

    test()


@pytest.mark.parametrize("shape", [(2,), (3, 1), (2, 3)])
def test_products_of_strided_bools_that_are_one_number(shape):
    @like_pytorch
    def test(torch):
        a = torch.arange(24).reshape(2, 3, 4)[0, :, :2].t()[: shape[0]].bool()
        return [outcome(lambda k=k: torch.inner(a[:, k], a[:, k])) for k in (0, 1)] + [
            outcome(lambda: torch.tensordot(a, a, 2))
        ]

    test()


@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_infinite_complex_products(name):
    @like_pytorch
    def test(torch):
        z = torch.tensor([[0.0, 1 + 2j], [2.0, 3.0]], dtype=getattr(torch, name)).log()
        return str(z.cumprod(0).real.tolist()), str(z.cumprod(1).imag.tolist())

    test()


@pytest.mark.parametrize(
    "sizes", [(2, 3, 4, 5), (1, 2, 2, 1), (5, 1, 1, 5), (4, 3, 2, 1), (2, 2, 2, 2)]
)
def test_the_order_of_three_matrices(sizes):
    @like_pytorch
    def test(torch):
        a, b, c = (
            torch.ones(m, n, requires_grad=True) for m, n in zip(sizes, sizes[1:], strict=False)
        )
        product = torch.linalg.multi_dot([a, b, c])
        return [n[0].name() for n in product.grad_fn.next_functions], nodes(product)

    test()


@like_pytorch
def test_what_is_checked_first_in_a_batch_of_products(torch):
    a, b = torch.ones(2, 3), torch.ones(2, 3).double()
    return [
        outcome(lambda: torch.baddbmm(torch.ones(2, 1), b, b)),
        outcome(lambda: torch.baddbmm(torch.ones(1, 1, 3), a, torch.ones(2, 3, 3))),
        outcome(lambda: torch.nn.functional.nll_loss(torch.ones(3, 2, 1, 1), torch.ones(3, 2, 1))),
        outcome(
            lambda: torch.nn.functional.nll_loss(torch.ones(3, 2, 1, 1), torch.ones(3, 2, 1).long())
        ),
    ]


FORMULAS = {
    "mean": lambda torch, x: x.mean(),
    "mean of a dimension": lambda torch, x: x.mean(0),
    "var": lambda torch, x: x.var(0) / 8,
    "std_mean": lambda torch, x: torch.std_mean(x)[1],
    "sigmoid": lambda torch, x: x.sigmoid(),
    "tanh": lambda torch, x: x.tanh(),
    "pow": lambda torch, x: x**3,
    "atan": lambda torch, x: x.atan(),
    "glu": lambda torch, x: torch.nn.functional.glu(x, 0),
    "silu": lambda torch, x: torch.nn.functional.silu(x),
    "erf": lambda torch, x: x.erf(),
    "log2": lambda torch, x: x.log2(),
    "lerp": lambda torch, x: torch.lerp(x, x.detach(), 0.3),
    "addmm": lambda torch, x: torch.addmm(x, x, torch.ones(3, 3), beta=2, alpha=3),
    "mse_loss": lambda torch, x: torch.nn.functional.mse_loss(x, x.detach() + 1),
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_nodes_of_a_gradient_are_those_of_operators_with_numbers(formula):
    @like_pytorch
    def test(torch):
        x = torch.tensor([[0.5, 0.7, -0.3], [0.2, -0.9, 1.5]], requires_grad=True)
        y = FORMULAS[formula](torch, x)
        (g,) = torch.autograd.grad(y.exp().sum(), x, create_graph=True)
        (h,) = torch.autograd.grad(g.exp().sum(), x)
        return g.grad_fn.name(), [n[0] and n[0].name() for n in g.grad_fn.next_functions], h

    test()


SHAPES = [
    ((1, 2, 3), (4, 3, 5)),
    ((4, 2, 3), (1, 3, 5)),
    ((1, 2, 3), (1, 3, 5)),
    ((1, 1, 3), (4, 3, 5)),
]
SHAPES += [
    ((4, 0, 3), (1, 3, 5)),
    ((1, 2, 3), (0, 3, 5)),
    ((4, 2, 3), (1, 5, 6)),
    ((4, 2, 3), (1, 1, 3, 5)),
]


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("wanted", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_one_matrix_times_a_batch(shapes, wanted):
    @like_pytorch
    def test(torch):
        a, b = (
            torch.arange(torch.Size(s).numel()).reshape(s).double().requires_grad_(bool(w))
            for s, w in zip(shapes, wanted, strict=True)
        )
        product = outcome(lambda: torch.matmul(a, b))
        if not isinstance(product, torch.Tensor) or not any(wanted):
            return product
        product.square().sum().backward()
        return product, nodes(product), a.grad, b.grad

    test()


@like_pytorch
def test_gradients_count_what_was_added_in_place(torch):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    functions = [x * x, x.exp() + x.sin() + x.cos(), x * x * x, x + x]
    versions = [torch.autograd.grad(f.sum(), x)[0]._version for f in functions]
    (y * y).sum().backward(retain_graph=True)
    (y * y + y).sum().backward()
    return versions, x.grad, y.grad._version


@like_pytorch
def test_an_unsafe_view_counts_for_itself(torch):
    x = torch.ones(2, 2, requires_grad=True)
    y = torch.kron(x, x)
    with torch.no_grad():
        x.mul_(2)
    y.sum().backward()
    return x.grad


@pytest.mark.parametrize("beta", [0, 1, 2])
@pytest.mark.parametrize("shapes", [((0, 0), (0, 0)), ((0, 2), (2, 0)), ((2, 0), (0, 2))])
def test_sums_of_empty_products_of_bools(beta, shapes):
    @like_pytorch
    def test(torch):
        a, b = (torch.ones(s, dtype=torch.bool) for s in shapes)
        c = torch.ones(shapes[0][0], shapes[1][1], dtype=torch.bool)
        return [
            outcome(lambda: torch.addmm(c, a, b, beta=beta)),
            outcome(lambda: torch.addbmm(c, a[None], b[None], beta=beta)),
            outcome(lambda: torch.baddbmm(c[None], a[None], b[None], beta=beta)),
            outcome(lambda: c.clone().addmm_(a, b, beta=beta)),
        ]

    test()


@like_pytorch
def test_empty_vectors_of_a_block_diagonal_get_zeros_without_a_history(torch):
    x, y = torch.ones(2, requires_grad=True), torch.ones(0, requires_grad=True)
    z = torch.block_diag(x, y)
    return torch.autograd.grad((z * z).sum(), (x, y), create_graph=True)


@pytest.mark.filterwarnings("ignore:index_reduce")
@pytest.mark.parametrize("reduce", ["mean", "prod", "amax", "amin"])
def test_a_reduction_of_an_empty_tensor_checks_its_dimension(reduce):
    @like_pytorch
    def test(torch):
        index = torch.tensor([0])
        return outcome(lambda: torch.ones(0).index_reduce(0, index, torch.ones(1), reduce))

    test()


@like_pytorch
def test_a_number_cumulates_to_itself(torch):
    z = torch.tensor(complex(float("inf"), 1))
    return [str(f(0)) for f in (z.cumsum, z.cumprod, z.logcumsumexp)]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize(
    "geometry",
    [((4,), (0,)), ((3, 4), (1, 0)), ((3, 2, 2), (0, 0, 1)), ((4, 3), (0, 1)), ((2, 3), (1, 1))],
)
def test_gradients_of_views_that_show_an_element_more_than_once(name, geometry):
    @like_pytorch
    def test(torch):
        x = torch.arange(6.0).to(getattr(torch, name)).requires_grad_()
        y = x.as_strided(*geometry)
        z = x.expand(4, 6).as_strided(*geometry)
        (first,) = torch.autograd.grad((y * y).sum(), x)
        (second,) = torch.autograd.grad((z * z).sum(), x)
        return first.float(), second.float(), str(first.dtype)

    test()


@like_pytorch
def test_sums_with_alpha_of_infinite_complex_numbers(torch):
    z = torch.tensor([0.0, 1 + 2j, 3.0, 2j]).log()
    w = torch.tensor([1j, 2, complex(float("inf"), 1), 1 - 1j])
    sums = [torch.add(w, z, alpha=2), torch.sub(w, z, alpha=2), w + z, w - z, torch.rsub(z, w)]
    return [str(t.real.tolist()) for t in sums], [str(t.imag.tolist()) for t in sums]


@like_pytorch
def test_addr_multiplies_in_the_common_dtype(torch):
    v = torch.tensor([1.1, 2.3, 0.7], dtype=torch.float16)
    return torch.addr(torch.ones(3, 3, dtype=torch.float64), v, v, beta=2, alpha=3)


@like_pytorch
def test_the_nodes_of_permutations_and_outer_products_in_gradients(torch):
    x = torch.arange(6.0).reshape(1, 2, 3).requires_grad_()
    found = []
    for y in (x.permute(2, 0, 1), x.mT.permute(-1, 0, 1), x.T):
        (g,) = torch.autograd.grad(y.exp().sum(), x, create_graph=True)
        found += [g.grad_fn.name(), g.grad_fn._saved_dims]
    v = x[0, 0]
    (g,) = torch.autograd.grad(torch.outer(v, v).sum(), v, create_graph=True)
    return found, [n[0] and n[0].name() for n in g.grad_fn.next_functions]


@like_pytorch
def test_results_that_were_made_in_place_count_it(torch):
    a, b = torch.ones(3), torch.zeros(3)
    loss = torch.nn.functional.margin_ranking_loss(a, b, a, reduction="none")
    return torch.isclose(a, b)._version, torch.isclose(a, b, equal_nan=True), loss._version


@pytest.mark.parametrize("index", [1, [1]])
@pytest.mark.parametrize("source", [3.0, [3.0]])
def test_gradients_of_a_number_copied_to_an_index(index, source):
    def program(torch):
        x = torch.arange(4.0).requires_grad_()
        s = torch.tensor(source, requires_grad=True)
        y = (x * 1).index_copy_(0, torch.tensor(index), s * 1)
        first = torch.autograd.grad((y**3).sum(), (x, s), create_graph=True)
        second = torch.autograd.grad(sum(g.sum() for g in first), (x, s))
        return [g.detach() for g in first], second

    compare(program)


def test_a_bool_has_no_negative_in_the_gradient_of_atan2():
    def program(torch):
        other = torch.rand(2, requires_grad=True)
        torch.atan2(torch.tensor([True, False]), other).sum().backward()

    compare(program)


def test_the_layouts_of_the_gradients_of_copysign():
    def program(torch):
        x = torch.arange(12.0).reshape(3, 4).t().requires_grad_()
        y = torch.arange(-6.0, 6).reshape(3, 4).t().requires_grad_()
        gradient = torch.ones(3, 4).t()
        return torch.autograd.grad(torch.copysign(x, y), (x, y), gradient)

    compare(program)


@pytest.mark.parametrize("name", ["rsqrt", "sigmoid"])
def test_complex_infinities_are_inverted_as_reciprocal_has_it(name):
    def program(torch):
        parts = [0.0, 1.0, -1.0, 90.0, float("inf"), -float("inf")]
        z = [complex(a, b) for a in parts for b in parts]
        result = getattr(torch, name)(torch.tensor(z, dtype=torch.complex128))
        # the sign of a zero in a quotient is the processor's affair
        return torch.view_as_real(result) + 0.0

    compare(program)


@pytest.mark.parametrize("name", ["exp2", "silu"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_functions_of_infinities(name, dtype):
    @like_pytorch
    def test(torch):
        parts = [float("inf"), -float("inf"), float("nan"), 0.0, 1.0]
        x = torch.tensor(
            [[complex(a, b) for a in parts] for b in parts], dtype=getattr(torch, dtype)
        )
        function = getattr(torch.nn.functional if name == "silu" else torch, name)
        return [torch.view_as_real(function(y)) for y in (x, x.t(), x[::2, 1:], x.conj())]

    test()


WITHOUT_DIMENSIONS = {
    "kthvalue": lambda torch, x: tuple(x.kthvalue(1)),
    "kthvalue, dimension kept": lambda torch, x: tuple(x.kthvalue(1, 0, True)),
    "mode": lambda torch, x: tuple(x.mode()),
    "cummax": lambda torch, x: tuple(x.cummax(0)),
    "cummin": lambda torch, x: tuple(x.cummin(-1)),
    "cumsum_": lambda torch, x: x.cumsum_(0),
    "cumprod_": lambda torch, x: x.cumprod_(0),
    "trace": lambda torch, x: x.trace(),
    "searchsorted": lambda torch, x: torch.searchsorted(x, x),
    "in results": lambda torch, x: tuple(
        torch.kthvalue(x, 1, out=(x.clone(), torch.ones((), dtype=torch.int64)))
    ),
}


@pytest.mark.parametrize("dtype", ["bool", "complex64", "float16", "uint8", "float32"])
@pytest.mark.parametrize("case", WITHOUT_DIMENSIONS)
def test_one_element_needs_no_order(case, dtype):
    compare(
        lambda torch: WITHOUT_DIMENSIONS[case](torch, torch.ones((), dtype=getattr(torch, dtype)))
    )


@pytest.mark.parametrize("name", ["cumsum_", "cumprod_", "cummax", "cummin"])
@pytest.mark.parametrize("dtype", ["bool", "complex64"])
def test_no_elements_need_no_order(name, dtype):
    def program(torch):
        found = getattr(torch.ones(2, 0, dtype=getattr(torch, dtype)), name)(1)
        return found if isinstance(found, torch.Tensor) else tuple(found)

    compare(program)


@pytest.mark.parametrize("exponent", [0, 1, True, False, 1.0, 0.0, 2])
@pytest.mark.parametrize("dtype", ["bool", "int64", "float32", "complex64"])
def test_powers_in_place_and_out_are_those_that_are_returned(dtype, exponent):
    def power(torch, write):
        x = torch.tensor([1, 0]).to(getattr(torch, dtype))
        return write(torch, x)

    for write in (
        lambda torch, x: torch.pow(x, exponent),
        lambda torch, x: x.pow_(exponent),
        lambda torch, x: torch.pow(x, exponent, out=torch.empty_like(x)),
        lambda torch, x: torch.pow(x, exponent, out=x),
    ):
        compare(lambda torch, write=write: power(torch, write))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64", "float16", "complex64"])
def test_extremes_and_medians_of_empty_tensors_take_any_dtype(dtype):
    def program(torch):
        x = torch.zeros(0, 2, dtype=getattr(torch, dtype))
        return x.median(), x.nanmedian(), x.amax(1), x.amin((1,))

    compare(program)


@pytest.mark.parametrize("q", [0.5, 3.0, [[0.5]], [0.5]])
@pytest.mark.parametrize("size", [0, 2])
@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_quantiles_are_refused_in_pytorchs_order(q, size, interpolation):
    def program(torch):
        x = torch.zeros(size, dtype=torch.int32)
        number = q if isinstance(q, float) else torch.tensor(q)
        return torch.quantile(x, number, interpolation=interpolation)

    compare(program)


def test_angles_of_quadrants_are_rounded_as_pytorch_rounds_them():
    """Programs compare them with quarters of pi; loops of float of several processors miss these by a unit."""

    def program(torch):
        y = torch.tensor([1.0, -1.0, 1.0, -1.0, 0.0, -0.0, 1.0, 3.0], dtype=torch.float32)
        x = torch.tensor([1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 0.0, 3.0], dtype=torch.float32)
        return torch.atan2(y, x).tolist(), torch.complex(x, y)[:3].angle().tolist()

    compare(program, tolerance=0)


def test_an_angle_of_floats_is_the_double_one_rounded_in_any_layout():
    y, x = (minitorch.randn(3, 400).t()[::2] for _ in range(2))
    expected = minitorch.atan2(y.double(), x.double()).float()
    assert minitorch.equal(minitorch.atan2(y, x), expected)
    assert minitorch.equal(y.clone().atan2_(x), expected)
