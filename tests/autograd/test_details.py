"""Small things about nodes and gradients that random programs have found to matter."""

import warnings

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def numbers(torch, *shape, dtype="float64"):
    count = 1
    for n in shape:
        count *= n
    values = torch.arange(count, dtype=torch.float64).add(1).sin().reshape(shape)
    return values.to(getattr(torch, dtype)).requires_grad_()


# ---- a complex gradient of a real argument

MIXED = {
    "mul": "x * c",
    "pow": "x.abs() ** c",
    "addcdiv": "torch.addcdiv(c, x, c)",
    "logaddexp": "torch.logaddexp(x, c)",
    "where": "torch.where(c.real > 0, x, c)",
    "masked_fill": "c.masked_fill(c.real > 0, x[0, 0])",
    "addr": "torch.addr(x, c[0], c[1])",
    "dist": "torch.dist(x, c)",
    "ldexp": "torch.ldexp(x, c)",
    "sum": "x.sum(dtype=torch.complex128)",
    "mean": "x.mean(0, dtype=torch.complex128)",
    "prod": "x.prod(dtype=torch.complex128)",
}


@pytest.mark.parametrize("text", MIXED.values(), ids=MIXED)
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_complex_gradient_of_a_real_argument_is_its_real_part_or_an_error(text, create_graph):
    def program(torch):
        x, c = numbers(torch, 2, 2), numbers(torch, 2, 2, dtype="complex128") * (1 + 0.5j)
        result = eval(text, {"torch": torch, "x": x, "c": c})
        result = result.real if result.is_complex() else result
        (g,) = torch.autograd.grad(result.sum(), [x], create_graph=create_graph)
        return g, None if text.startswith("x.abs") or g.grad_fn is None else g.grad_fn.name()

    compare(program)


@like_pytorch
def test_nan_to_num_does_not_record_complex_results(torch):
    return torch.nan_to_num(numbers(torch, 2, dtype="complex128"))


# ---- nodes

NODES = """silu mish sinc""".split()


@pytest.mark.parametrize("name", NODES)
def test_a_recorded_backward_ends_in_the_same_node(name):
    def program(torch):
        x = numbers(torch, 2, 3)
        function = getattr(torch, name, None) or getattr(torch.nn.functional, name)
        (g,) = torch.autograd.grad(function(x).sum(), [x], create_graph=True)
        (h,) = torch.autograd.grad((g * g).sum(), [x])
        return g, g.grad_fn.name(), h

    compare(program)


EDGES = {
    "fmod": "x.fmod(2)",
    "fmod_": "x.clone().fmod_(2)",
    "remainder": "x.remainder(2)",
    "remainder_": "x.clone().remainder_(2)",
    "remainder of a tensor": "x.remainder(torch.tensor(2.0))",
    "rsub": "torch.rsub(x, 2)",
    "copysign": "x.copysign(2)",
    "lerp": "x.lerp(x * 2, 0.25)",
    "masked_fill": "x.masked_fill(x > 0, 2)",
    "mul": "x * 2",
    "trace": "x.trace()",
    "diag_embed": "x.diag_embed(1)",
    "diag": "x[0].diag()",
    "tensor_split": "x.tensor_split(2)[1]",
    "cumsum_": "x.clone().cumsum_(0)",
    "cumprod_": "x.clone().cumprod_(-1)",
    "var_mean": "torch.var_mean(x, 0)[1]",
    "std_mean": "torch.std_mean(x)[0]",
}


@pytest.mark.parametrize("text", EDGES.values(), ids=EDGES)
def test_a_node_has_the_same_name_edges_and_gradient(text):
    def program(torch):
        x = numbers(torch, 2, 3)
        y = eval(text, {"torch": torch, "x": x})
        seen = []
        y.grad_fn.register_hook(lambda inputs, outputs: seen.append((len(inputs), len(outputs))))
        (y * y).sum().backward()
        return y, y.output_nr, y.grad_fn.name(), len(y.grad_fn.next_functions), seen, x.grad

    compare(program)


@pytest.mark.parametrize("weights", [(1, 0), (0, 1), (2, 3)])
@pytest.mark.parametrize("name", ["var_mean", "std_mean"])
def test_either_of_two_moments_may_have_a_gradient(name, weights):
    def program(torch):
        x = numbers(torch, 2, 3)
        first, mean = getattr(torch, name)(x, 1, keepdim=True)
        total = [w * t.sum() for w, t in zip(weights, (first, mean), strict=True) if w]
        (g,) = torch.autograd.grad(sum(total), [x], create_graph=True)
        return first, mean, g, torch.autograd.grad(g.square().sum(), [x], allow_unused=True)[0]

    compare(program)


# ---- strides, histories and versions of gradients


@pytest.mark.parametrize("view", ["t()", "unfold(0, 2, 1)", "T.clone()"])
def test_a_retained_gradient_is_row_major(view):
    def program(torch):
        y = eval(f"x.{view}", {"x": numbers(torch, 3, 4)})
        y.retain_grad()
        (y * y).sum().backward()
        return y.grad

    compare(program)


@like_pytorch
def test_masked_selects_gradient_has_the_layout_of_what_was_selected_from(torch):
    x = numbers(torch, 2, 3)
    y = x.T
    return torch.autograd.grad(y.masked_select(y > 0).sum(), [y])


EMPTY = [
    "torch.cat([x * 1, x])",
    "torch.cat([x.detach(), x * 2])",
    "(x * 1).as_strided((0,), (1,))",
]


@pytest.mark.parametrize("text", EMPTY)
def test_the_gradient_of_an_empty_tensor_has_no_history(text):
    def program(torch):
        x = numbers(torch, 0)
        y = eval(text, {"torch": torch, "x": x})
        return torch.autograd.grad((y * y).sum(), [x], create_graph=True)

    compare(program)


@like_pytorch
def test_what_was_written_to_is_an_error_also_where_no_wanted_gradient_needs_it(torch):
    x, z = numbers(torch, 2), numbers(torch, 2)
    b = x * 2
    y = z * b
    b.mul_(2)
    return torch.autograd.grad(y.sum(), [x])


@like_pytorch
def test_what_was_not_saved_is_no_reason_against_a_second_backward(torch):
    x = numbers(torch, 2)
    y = torch.addcmul(x * 1, torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.float64))
    y.sum().backward()
    y.sum().backward()
    return x.grad


@like_pytorch
def test_cumprods_result_is_saved(torch):
    x = numbers(torch, 3)
    y = x.cumprod(0)
    y.mul_(2)
    y.sum().backward()


@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_integers_that_are_a_view_of_inference_mode_take_a_copy(dtype):
    def program(torch):
        x = torch.ones(2, 3, dtype=getattr(torch, dtype))
        with torch.inference_mode():
            view = x[0]
        return view.copy_(numbers(torch, 3) * 2)

    compare(program)


# ---- values and errors of operators

SENTENCES = {
    "index_add": "torch.zeros(0).index_add_(0, torch.tensor([0]), torch.ones(1))",
    "index_fill": "torch.zeros(0, 0).index_fill_(0, torch.tensor([0]), 2)",
    "lerp": "torch.zeros(2, 3).cfloat().lerp_(torch.ones(2, 2).cfloat(), 0.25)",
    "addcmul": "torch.zeros(2).cdouble().addcmul_(*[torch.tensor([0.3], dtype=torch.float16)] * 2)",
    "argmin": "torch.zeros(0, dtype=torch.bool).argmin(0)",
    "argmax": "torch.zeros(0, dtype=torch.complex64).argmax()",
    "glu": "torch.nn.functional.glu(torch.ones(()), 0)",
    "trace": "torch.ones(3).trace()",
    "trace of Bool": "torch.ones(2, 2, dtype=torch.bool).trace()",
    "trapezoid": "torch.trapezoid(torch.zeros(2, 0, dtype=torch.bool))",
    "cdist": "torch.cdist(torch.ones(2, 2), 2)",
    "tensordot": "torch.tensordot(torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float64), 1)",
    "cosine": "torch.cosine_similarity(torch.ones(4, 4), torch.ones(3, 3), 0)",
    "std_mean": "torch.std_mean(torch.ones(2, dtype=torch.int64))",
    "var_mean": "torch.var_mean(torch.ones(2, 3), (0, 1), False, True)",
    "var_mean_all": "torch.var_mean(torch.arange(3.0), unbiased=False)",
    "cumprod_": "torch.ones(3, dtype=torch.bool).cumprod_(0)",
    "cumsum_": "torch.ones(3, 2).t().cumsum_(1, dtype=torch.float64)",
}


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_an_operator_gives_or_raises_the_same(text):
    compare(lambda torch: eval(text, {"torch": torch}))


@like_pytorch
def test_a_complex_number_beside_float16_is_rounded_before_it_is_compared(torch):
    half, number = torch.tensor([1, -1.5136], dtype=torch.float16), torch.tensor(-1.5136 + 0j)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's complex32 is experimental
        return half == number, number != half, half == -1.5136 + 0j, half[1] == number
