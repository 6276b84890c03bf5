"""Forward mode: every row's tangents, and what programs see of dual tensors; PyTorch is the oracle."""

import weakref

import numpy as np
import pytest

import minitorch
from minitorch.autograd import forward_ad
from tests.autograd.samples import ROWS, SECOND_DERIVATIVE_RAISES
from tests.autograd.test_derivatives import FORMULAS, _cases
from tests.both import compare, like_pytorch, outcome, real

with real.autograd.forward_ad.dual_level():
    # the first use of forward mode gives a warning of PyTorch's own
    real.autograd.forward_ad.make_dual(real.ones(1), real.ones(1))


def direction_like(tensor, seed):
    numbers = np.random.default_rng(seed).standard_normal((2, *tensor.shape))
    values = numbers[0] + 1j * numbers[1] if tensor.is_complex() else numbers[0]
    return minitorch.from_numpy(np.array(values)).to(tensor.dtype)


def as_list(result):
    return list(result) if isinstance(result, tuple) else [result]


def differentiable(outputs):
    return [k for k, o in enumerate(outputs) if o.requires_grad]


def by_forward_mode(function, inputs, directions):
    """The tangents of all outputs, None where there is none."""
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(x, v) for x, v in zip(inputs, directions, strict=True)]
        return [forward_ad.unpack_dual(o).tangent for o in as_list(function(*duals))]


def by_two_backwards(function, inputs, directions):
    """The same for the differentiable outputs: w -> J^T w is linear, and its transpose is J."""
    outputs = as_list(function(*inputs))
    outputs = [outputs[k] for k in differentiable(outputs)]
    weights = [minitorch.zeros_like(o, requires_grad=True) for o in outputs]
    products = minitorch.autograd.grad(
        outputs, inputs, weights, create_graph=True, materialize_grads=True
    )
    pairs = [(p, v) for p, v in zip(products, directions, strict=True) if p.requires_grad]
    if not pairs:
        return [minitorch.zeros_like(o) for o in outputs]
    return minitorch.autograd.grad(
        [p for p, _ in pairs], weights, [v for _, v in pairs], materialize_grads=True
    )


def close(ours, expected):
    if ours is None:
        ours = minitorch.zeros_like(expected)
    np.testing.assert_allclose(
        ours.numpy(force=True), expected.numpy(force=True), rtol=1e-6, atol=1e-8
    )


REFUSED = [name for name in FORMULAS if ROWS[name].no_forward_mode] + ["grid_sampler"]
# forward over reverse: their gradient's operator refuses
GRADIENT_REFUSED = {*REFUSED, "huber_loss", "soft_margin_loss", "hardsigmoid", "native_dropout"}
TWICE = [name for name in FORMULAS if name not in SECOND_DERIVATIVE_RAISES]
# its backward takes the logarithm of the gradient, which is 0 here
NOT_AT_ZERO = {"logcumsumexp"}


@pytest.mark.parametrize("name", [n for n in TWICE if n not in {*NOT_AT_ZERO, *REFUSED}])
def test_the_tangent_is_the_jacobian_times_the_direction(name):
    for case in _cases(name):
        directions = [direction_like(x, k) for k, x in enumerate(case.inputs)]
        expected = by_two_backwards(case, case.inputs, directions)
        found = by_forward_mode(case, case.inputs, directions)
        places = differentiable(as_list(case(*case.inputs)))
        for k, wanted in zip(places, expected, strict=True):
            close(found[k], wanted)


@pytest.mark.parametrize("name", REFUSED)
def test_dual_tensors_are_refused_where_pytorch_has_no_formula(name):
    for case in _cases(name):
        directions = [direction_like(x, k) for k, x in enumerate(case.inputs)]
        with pytest.raises(
            NotImplementedError, match="^Trying to use forward AD with .* that does"
        ):
            by_forward_mode(case, case.inputs, directions)


@pytest.mark.parametrize("name", [name for name in TWICE if name not in GRADIENT_REFUSED])
def test_a_gradient_has_the_tangent_of_the_second_derivative(name):
    """Forward over reverse is reverse over reverse."""
    for case in _cases(name):
        if any(x.is_complex() for x in case.inputs):
            continue
        directions = [direction_like(x, k) for k, x in enumerate(case.inputs)]
        outputs = as_list(case(*case.inputs))
        places = differentiable(outputs)
        weights = [direction_like(outputs[k], 50 + k) for k in places]

        def gradient(*inputs, create_graph=False, case=case, places=places, weights=weights):
            results = as_list(case(*inputs))
            return minitorch.autograd.grad(
                [results[k] for k in places],
                inputs,
                weights,
                create_graph=create_graph,
                materialize_grads=True,
            )

        gradients = gradient(*case.inputs, create_graph=True)
        recorded = [(g, v) for g, v in zip(gradients, directions, strict=True) if g.requires_grad]
        expected = (
            minitorch.autograd.grad(
                [g for g, _ in recorded],
                case.inputs,
                [v for _, v in recorded],
                materialize_grads=True,
            )
            if recorded
            else [minitorch.zeros_like(x) for x in case.inputs]
        )
        for ours, wanted in zip(
            by_forward_mode(gradient, case.inputs, directions), expected, strict=True
        ):
            close(ours, wanted)


def dual(torch, values=(1.0, 2.0, 3.0), tangent=(2.0, 2.0, 2.0), **options):
    x = torch.tensor(values, **options)
    return torch.autograd.forward_ad.make_dual(x, torch.tensor(tangent))


def tangent(torch, tensor):
    return torch.autograd.forward_ad.unpack_dual(tensor).tangent


PROGRAMS = {
    "arithmetic": lambda t: tangent(t, (dual(t) * dual(t)).sin() / 3),
    "a constant has none": lambda t: tangent(t, t.ones(2) * 3),
    "detach drops it": lambda t: tangent(t, dual(t).detach()),
    "a view's is a view": lambda t: tangent(t, dual(t)[1:])._base is not None,
    "clone": lambda t: tangent(t, dual(t).clone()),
    "broadcast": lambda t: tangent(t, t.ones(2, 3) + dual(t)),
    "where a number is added": lambda t: tangent(t, dual(t) + 1),
    "integers": lambda t: tangent(t, dual(t).argmax()),
    "comparison": lambda t: tangent(t, dual(t) > 1),
    "shown": lambda t: repr(dual(t)),
    "shown with history": lambda t: repr(dual(t, requires_grad=True)),
    "no derivative": lambda t: t.floor_divide(dual(t), 2),
    "out": lambda t: t.add(dual(t), 1, out=t.empty(3)),
    "no formula": lambda t: t.cdist(dual(t)[None], t.ones(2, 3)),
    "no formula in place": lambda t: dual(t).index_reduce_(0, t.tensor([0]), t.ones(1), "mean"),
    "no formula of the gradient": lambda t: t.nn.functional.huber_loss(
        dual(t, requires_grad=True), t.zeros(3)
    ).backward(),
    "shapes differ": lambda t: dual(t, tangent=(1.0,)),
    "a dual already": lambda t: t.autograd.forward_ad.make_dual(dual(t), t.ones(3)),
    "integer": lambda t: dual(t, values=(1, 2, 3)),
    "integer tangent": lambda t: dual(t, tangent=(1, 2, 3)),
    "dtypes may differ": lambda t: tangent(t, dual(t, dtype=t.float64)),
    "nested": lambda t: t.autograd.forward_ad.enter_dual_level(),
    "wrong level": lambda t: t.autograd.forward_ad.exit_dual_level(level=3),
    "another level": lambda t: t.autograd.forward_ad.make_dual(t.ones(2), t.ones(2), level=5),
    "view of the primal": lambda t: dual(t)._base is not None,
    "strides": lambda t: tangent(
        t, t.autograd.forward_ad.make_dual(t.ones(2, 3).t(), t.ones(3, 2))
    ).stride(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_pytorch(name):
    def program(torch):
        with torch.autograd.forward_ad.dual_level():
            return PROGRAMS[name](torch)

    compare(program)


@pytest.mark.parametrize("write", ["mul_", "add_", "copy_", "sub_", "div_"])
@pytest.mark.parametrize("target", ["base", "view", "dual", "view of a dual"])
def test_a_write_in_place_writes_the_tangent(write, target):
    def program(torch):
        with torch.autograd.forward_ad.dual_level():
            base = torch.ones(2, 3) * 3
            if "dual" in target:
                base = torch.autograd.forward_ad.make_dual(base, torch.full((2, 3), 5.0))
            written = base[0] if "view" in target else base
            getattr(written, write)(dual(torch))
            return tangent(torch, written), tangent(torch, base), base.detach()

    compare(program)


@pytest.mark.parametrize("write", ["zero_", "fill_", "relu_", "t_", "unsqueeze_", "exponential_"])
def test_an_operator_in_place_on_a_dual(write):
    def program(torch):
        torch.manual_seed(0)
        with torch.autograd.forward_ad.dual_level():
            x = torch.autograd.forward_ad.make_dual(torch.ones(2, 3) * -3, torch.ones(2, 3))
            arguments = {"fill_": (2.0,), "unsqueeze_": (0,)}.get(write, ())
            getattr(x, write)(*arguments)
            return tangent(torch, x), x.detach()

    compare(program)


def test_the_level_ends_and_with_it_the_tangent():
    def program(torch):
        fwd = torch.autograd.forward_ad
        with fwd.dual_level():
            y = dual(torch).exp()
        first = fwd.unpack_dual(y).tangent
        with fwd.dual_level():
            return first, fwd.unpack_dual(y).tangent, (y * 2).sum()

    compare(program)


def test_reverse_over_forward():
    def program(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        v = torch.tensor([3.0, 4.0], requires_grad=True)
        with torch.autograd.forward_ad.dual_level():
            y = torch.autograd.forward_ad.make_dual(x, v)
            out = tangent(torch, y.sin() * y)
        return torch.autograd.grad(out.sum(), (x, v))

    compare(program)


def test_backward_inside_a_level_gives_grad_a_tangent():
    def program(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        with torch.autograd.forward_ad.dual_level():
            y = torch.autograd.forward_ad.make_dual(x, torch.ones(2))
            (y**3).sum().backward()
            return x.grad, tangent(torch, x.grad)

    compare(program)


def test_tangents_switched_off():
    def program(torch):
        fwd = torch.autograd.forward_ad
        with fwd.dual_level():
            x = dual(torch)
            with fwd._set_fwd_grad_enabled(False):
                off = x * 2
            return tangent(torch, off), tangent(torch, x * 2)

    compare(program)


def test_a_tangent_is_collected_with_its_cycle():
    import gc
    import weakref

    x = minitorch.ones(2, requires_grad=True)
    with forward_ad.dual_level():
        y = forward_ad.make_dual(x, minitorch.ones(2, requires_grad=True)).exp()
        tracked = weakref.ref(y)
        del y
    gc.collect()
    assert tracked() is None


@pytest.mark.parametrize("name", ["svdvals", "eigvalsh", "cond", "matrix_norm"])
def test_functions_that_compute_vectors_for_the_gradient_alone(name):
    def program(torch):
        x = torch.tensor([[2.0, 1.0], [1.0, 3.0]], dtype=torch.float64)
        with torch.autograd.forward_ad.dual_level():
            y = torch.autograd.forward_ad.make_dual(x, x @ x)
            return tangent(torch, getattr(torch.linalg, name)(y)).contiguous()

    compare(program)


def test_levels_do_not_mix():
    """d/dx (x * d/dy (x + y)) is 1, not 2: Siskind and Pearlmutter's example."""

    def derivative(function, x):
        return minitorch.func.jvp(function, (x,), (minitorch.tensor(1.0),))[1]

    one = minitorch.tensor(1.0)
    assert derivative(lambda x: x * derivative(lambda y: x + y, one), one).item() == 1
    cube = derivative(lambda x: derivative(lambda y: y**3, x), minitorch.tensor(2.0))
    assert cube.item() == pytest.approx(12)


def test_every_row_is_reached():
    assert set(TWICE) <= set(ROWS)


def matrix(torch, *shape, seed=0, complex_numbers=False):
    numbers = np.random.default_rng(seed).standard_normal((2, *shape))
    return torch.from_numpy(
        numbers[0] + 1j * numbers[1] if complex_numbers else np.array(numbers[0])
    )


# of square matrices a, wide ones w and tall ones v; the signs of eigenvectors and singular vectors are
# LAPACK's choice
LINEAR_ALGEBRA = {
    "inv": lambda L, a, w, v: [L.inv(a)],
    "solve": lambda L, a, w, v: [L.solve(a, a[:, :2]), L.solve(a, a[0])],
    "solve on the right": lambda L, a, w, v: [L.solve(a, a[:2], left=False)],
    "det": lambda L, a, w, v: [L.det(a), *L.slogdet(a)[not a.is_complex() :]],
    "cholesky": lambda L, a, w, v: [L.cholesky(a @ a.mH), L.cholesky(a @ a.mH, upper=True)],
    "lu": lambda L, a, w, v: [*L.lu(a)[1:], *L.lu(w)[1:], *L.lu(v)[1:]],
    "lu without pivots": lambda L, a, w, v: list(L.lu(a, pivot=False)[1:]),
    "lu_factor": lambda L, a, w, v: [L.lu_factor(w)[0], L.lu_factor(v)[0]],
    "lu_solve": lambda L, a, w, v: [L.lu_solve(*L.lu_factor(a), a, left=False, adjoint=True)],
    "qr": lambda L, a, w, v: [*L.qr(a), *L.qr(w), *L.qr(v)],
    "qr without Q": lambda L, a, w, v: [L.qr(a, mode="r")],
    "complete qr": lambda L, a, w, v: [L.qr(v, mode="complete")],
    "eigh": lambda L, a, w, v: [L.eigh(a + a.mH)[0], L.eigh(a + a.mH)[1].abs()],
    "eig": lambda L, a, w, v: [L.eig(a)[1].abs().sum(), L.eigvals(a).abs().sum()],
    "svd": lambda L, a, w, v: [
        part.abs() for x in (a, w, v) for part in L.svd(x, full_matrices=False)
    ],
    "pinv": lambda L, a, w, v: [L.pinv(w), L.pinv(v)],
    "lstsq": lambda L, a, w, v: list(L.lstsq(v, v * 2 + 1, driver="gels")[:2]),
    "matrix_exp": lambda L, a, w, v: [L.matrix_exp(a)],
    "solve_triangular": lambda L, a, w, v: [
        L.solve_triangular(a, a, upper=True),
        L.solve_triangular(a, a, upper=False, left=False, unitriangular=True),
    ],
    "cross": lambda L, a, w, v: [L.cross(a, a.mT)],
}  # fmt: skip


@pytest.mark.parametrize("complex_numbers", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize("name", LINEAR_ALGEBRA)
def test_tangents_of_linear_algebra(name, complex_numbers):
    def program(torch):
        ad = torch.autograd.forward_ad
        with ad.dual_level():
            duals = [
                ad.make_dual(
                    *(matrix(torch, *s, seed=k, complex_numbers=complex_numbers) for k in n)
                )
                for s, n in (((3, 3), (0, 1)), ((2, 4), (2, 3)), ((4, 2), (4, 5)))
            ]
            results = LINEAR_ALGEBRA[name](torch.linalg, *duals)
            tangents = [ad.unpack_dual(r).tangent for r in results]
        return [t if t is None else t.resolve_conj().contiguous() for t in tangents]

    compare(program, tolerance=1e-8)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "mean", "amax", "amin"])
def test_tangents_of_scatter_reduce(reduce, include_self):
    def program(torch):
        ad = torch.autograd.forward_ad
        with ad.dual_level():
            x = ad.make_dual(matrix(torch, 3, 4, seed=0), matrix(torch, 3, 4, seed=1))
            index = torch.tensor([[0, 0, 1], [2, 2, 2], [1, 0, 3]])
            y = x.scatter_reduce(1, index, (x * 3)[:, 1:], reduce, include_self=include_self)
            return ad.unpack_dual(y).tangent

    compare(program)


@like_pytorch
def test_inference_mode_computes_no_tangents(torch):
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        dual = fw.make_dual(torch.ones(2), torch.full((2,), 3.0))
        with torch.inference_mode():
            inside = fw._is_fwd_grad_enabled(), fw.unpack_dual(dual), fw.unpack_dual(dual * 2)
            plain = fw.unpack_dual(fw.make_dual(torch.ones(2), torch.ones(2)))
            with torch.inference_mode(False):
                within = fw._is_fwd_grad_enabled(), fw.unpack_dual(dual * 2)
        after = fw._is_fwd_grad_enabled(), fw.unpack_dual(dual * 2)
    return inside, plain, within, after


def test_only_tensors_are_unpacked():
    def program(torch):
        with torch.autograd.forward_ad.dual_level():
            torch.autograd.forward_ad.unpack_dual(3)

    compare(program)


@pytest.mark.parametrize("name", ("add", "mul", "maximum"))
def test_out_that_is_dual_is_refused(name):
    def program(torch):
        fw = torch.autograd.forward_ad
        with fw.dual_level():
            out = fw.make_dual(torch.ones(2), torch.ones(2))
            getattr(torch, name)(torch.ones(2), torch.ones(2), out=out)

    compare(program)


UNRECORDED = {
    "linear": lambda t, x: t.nn.functional.linear(x, t.ones(3, 4)),
    "linear with a bias": lambda t, x: t.nn.functional.linear(x, t.ones(3, 4), t.ones(3)),
    "lstm cell": lambda t, x: t.lstm_cell(
        x, (t.zeros(2, 1), t.zeros(2, 1)), t.ones(4, 4), t.ones(4, 1)
    )[0],
    "matmul": lambda t, x: x @ t.ones(4, 3),
}


@pytest.mark.parametrize("function", UNRECORDED.values(), ids=UNRECORDED)
def test_tangents_go_on_where_nothing_is_recorded(function):
    def program(torch):
        x = torch.arange(8.0).view(2, 4) / 8
        with torch.no_grad():
            return (
                torch.func.jvp(lambda x: function(torch, x), (x,), (torch.ones_like(x),)),
                torch.vmap(
                    lambda v: torch.func.jvp(lambda x: function(torch, x), (x,), (v,))[1],
                    out_dims=1,
                )(torch.stack([x, x + 1, x * 2])),
            )

    compare(program)


@like_pytorch
def test_a_level_that_is_left_holds_no_tangent(torch):
    forward_ad, x = torch.autograd.forward_ad, torch.ones(2)
    with forward_ad.dual_level():
        tangent = torch.ones(2, requires_grad=True)
        dead = weakref.ref(tangent)
        dual = forward_ad.make_dual(x, tangent)
        del tangent
        inside = dead() is not None
    return inside, dead() is None, dual


@like_pytorch
def test_a_tangent_lies_in_memory_as_large_as_that_of_its_primal(torch):
    forward_ad = torch.autograd.forward_ad
    part, tangent = torch.arange(5.0)[1:3], torch.tensor([1.0, 2.0])
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(part, tangent)
        copied = forward_ad.unpack_dual(dual).tangent
        whole = forward_ad.unpack_dual(dual.as_strided((5,), (1,), 0)).tangent
        kept = forward_ad.unpack_dual(forward_ad.make_dual(torch.ones(2), tangent)).tangent
    return copied, copied is tangent, copied.untyped_storage().nbytes(), whole, kept is tangent


@like_pytorch
def test_a_tangent_is_copied_that_is_read_in_another_way(torch):
    forward_ad, readings = torch.autograd.forward_ad, (torch.Tensor.clone, torch.conj)
    with forward_ad.dual_level():
        return [
            forward_ad.unpack_dual(forward_ad.make_dual(one(x), t := other(x))).tangent is t
            for x in [torch.tensor([1j, 2])]
            for one in readings
            for other in readings
        ]


@like_pytorch
def test_writes_to_complex_views_of_real_numbers_and_the_reverse(torch):
    forward_ad = torch.autograd.forward_ad
    found = []
    with forward_ad.dual_level():
        d = forward_ad.make_dual(torch.ones(2), torch.tensor([2.0, 3.0]))
        for base, view in (
            (torch.zeros(2, dtype=torch.cfloat), lambda b: b.imag),
            (torch.zeros(2, dtype=torch.cfloat), lambda b: torch.view_as_real(b)[:, 1]),
            (torch.zeros(2, 2), torch.view_as_complex),
            (torch.zeros(2, 2), lambda b: torch.view_as_complex(b).conj()),
            (torch.zeros(3, 2, 2), lambda b: torch.view_as_complex(b[1:])[1]),
        ):
            view(base).copy_(d)
            found.append(forward_ad.unpack_dual(base).tangent)
    return found


@like_pytorch
def test_a_view_of_a_whole_base_shares_its_tangent(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        base = torch.zeros(2)
        view = base.view_as(base)
        view.copy_(forward_ad.make_dual(torch.ones(2), torch.ones(2)))
        return forward_ad.unpack_dual(base).tangent is forward_ad.unpack_dual(view).tangent


@pytest.mark.parametrize("name", ["igamma", "igammac", "geqrf", "_standard_gamma", "to_sparse"])
def test_operators_without_a_formula_for_tangents_say_so(name):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        with forward_ad.dual_level():
            d = forward_ad.make_dual(torch.ones(2, 2), torch.ones(2, 2))
            arguments = (d, d) if name.startswith("igamma") else (d,)
            (d.to_sparse if name == "to_sparse" else getattr(torch, name))(
                *arguments if name != "to_sparse" else ()
            )

    compare(program)


@like_pytorch
def test_a_view_follows_its_base_that_got_a_tangent_by_a_write(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        d = forward_ad.make_dual(torch.ones(2), torch.tensor([2.0, 3.0]))
        base = torch.zeros(4)
        one, other, whole = base[:2], base[1:3], base.view(4)
        one.copy_(d)
        results = [other * 2, torch.ones(2) * other, torch.cat([whole, other]), base.detach()]
        other.mul_(2)
        found = [forward_ad.unpack_dual(t).tangent for t in (*results, one, other, whole, base)]
        primal = forward_ad.unpack_dual(base).primal
        found += [forward_ad.unpack_dual(t).tangent for t in (primal, primal * 2)]
    with forward_ad.dual_level():
        found.append(forward_ad.unpack_dual(other).tangent)
        base.zero_().add_(forward_ad.make_dual(torch.ones(4), torch.arange(4.0)))
        found.append(forward_ad.unpack_dual(other).tangent)
    return found


@like_pytorch
def test_derivatives_through_views_of_a_buffer(torch):
    def f(x):
        buffer = x * 0
        rows = [buffer[i] for i in range(3)]
        for i in range(3):
            buffer[i] = x[i] * x[i - 1]
        return buffer.sum() + rows[1] * rows[2]

    x = torch.tensor([2.0, 3.0, 4.0])
    return torch.func.jacfwd(f)(x), torch.func.jacrev(f)(x), torch.func.hessian(f)(x)


OUT = """
torch.sort(x, out=(z, z.long()))
torch.max(x, 0, out=(z, z.long()))
torch.max(x, x, out=z)
torch.max(y, 0, out=(x, x.long()))
torch.topk(x, 1, out=(z, z.long()))
torch.median(x, 0, out=(z, z.long()))
torch.cummax(x, 0, out=(z, z.long()))
torch.where(x > 0, x, x, out=z)
torch.where(x > 0, y, y, out=x)
torch.std(x, 0, out=z)
torch.nonzero(x, out=z.long())
torch.isposinf(x, out=z.bool())
torch.any(x, 0, out=z.bool())
torch.hstack([x, x], out=z)
torch.outer(x, x, out=z)
torch.diff(x, out=z)
torch.nanmean(x, out=z)
torch.msort(x, out=z)
torch.matmul(x, x, out=z)
torch.matmul(x[None], x, out=z)
torch.matmul(x, x.expand(2, 2), out=z)
torch.diag(x, out=z)
torch.softmax(x, 0, out=z)
torch.t_copy(x, out=z)
torch.unbind_copy(x, out=[z, z])
torch.linalg.vector_norm(x, out=z)
torch.linalg.multi_dot([x, x], out=z)
torch.linalg.svdvals(x[None], out=z)
torch.linalg.det(x.expand(2, 2), out=z)
torch.normal(x, 1.0, out=z)
torch.bernoulli(x, out=z)
torch.multinomial(x, 1, out=z.long())
torch.zeros(2, out=x)
torch.empty(2, out=x)
torch.full((2,), 1.0, out=x)
torch.arange(2, out=x)
torch.linspace(0, 1, 2, out=x)
torch.eye(2, out=x)
torch.rand(2, out=x)
"""


@pytest.mark.parametrize("line", OUT.strip().splitlines())
def test_a_result_to_write_to_takes_no_tangent(line):
    def program(torch):
        fw = torch.autograd.forward_ad
        with fw.dual_level():
            x = fw.make_dual(torch.tensor([0.25, 0.5]), torch.ones(2))
            eval(line, {"torch": torch, "x": x, "y": torch.arange(2.0), "z": torch.zeros(2)})

    compare(program)
    assert outcome(program, minitorch)[0] == "raised"


@like_pytorch
def test_a_result_to_write_to_that_is_copied_takes_the_tangent(torch):
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        x = fw.make_dual(torch.tensor([0.25, 0.5]), torch.ones(2))
        z = torch.zeros(())
        torch.quantile(x, 0.5, out=z)
        return fw.unpack_dual(z)
