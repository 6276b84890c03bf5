"""`autocast` on the CPU: in which dtype functions compute, and what training with it gives."""

import threading
import warnings

import pytest

import minitorch
from tests.both import compare, like_pytorch

EXPRESSIONS = """
F.linear(x, x)
x @ x
x @ x[0]
torch.mv(x, x[0])
torch.einsum("ij,jk", x, x)
torch.addmm(x, x, x)
x.mm(x)
torch.mm(x, x, out=torch.empty(4, 4))
x.clone().addmm_(x, x)
torch.baddbmm(x[None], x[None], x[None])
torch.linalg.vecdot(x, x)
torch.linalg.multi_dot([x, x, x])
F.conv2d(x[None, None], x[None, None])
F.conv1d(x[None], x[None].expand(2, 4, 4)[..., :3], padding="same")
F.conv_transpose2d(x[None, None], x[None, None, :2, :2])
F.scaled_dot_product_attention(x[None], x[None], x[None])
x.double() @ x.double()
x.long() @ x.long()
h.softmax(0)
F.layer_norm(h, [4])
h.exp()
h + x
torch.cat([x, h])
torch.stack([x, h])
F.cross_entropy(h, torch.tensor([0, 1, 2, 3]))
F.mse_loss(h, x)
F.binary_cross_entropy_with_logits(h, h)
F.kl_div(h, h, reduction="sum")
F.nll_loss(h, torch.tensor([0, 1, 2, 3]))
h.prod(0)
h.trace()
torch.cdist(h, h)
torch.linalg.inv(h)
torch.linalg.cholesky(torch.eye(2).bfloat16())
torch.fft.fft(h).dtype == torch.complex64
F.pad(h[None], (1, 1), "reflect")
F.pad(h[None], (1, 1))
torch.nn.MultiheadAttention(4, 2)(x, x, x)[0]
"""


@pytest.mark.parametrize("expression", EXPRESSIONS.strip().splitlines())
def test_a_function_computes_in_the_dtype_it_does_in_pytorch(expression):
    def program(torch):
        torch.manual_seed(0)
        x = torch.rand(4, 4)
        names = {"torch": torch, "F": torch.nn.functional, "x": x, "h": x.bfloat16()}
        with torch.autocast("cpu", dtype=torch.bfloat16):
            result = eval(expression, names)
        if not isinstance(result, torch.Tensor):
            return result
        return str(result.dtype), result.double().detach().clone()

    compare(program, 0.02)


def training(torch, **options):
    torch.manual_seed(0)
    layer = torch.nn.Linear(4, 4)
    head = torch.nn.Sequential(torch.nn.Conv1d(1, 2, 3), torch.nn.ReLU(), torch.nn.Flatten())
    with torch.autocast("cpu", **options):
        y = layer(layer(torch.rand(2, 4)))
        loss = head(y[:, None]).float().pow(2).mean()
    loss.backward()
    grads = layer.weight.grad, head[0].weight.grad
    return str(y.dtype), [str(g.dtype) for g in grads], loss.item(), [g.double() for g in grads]


@pytest.mark.parametrize("options", [{}, {"dtype": "float16"}, {"cache_enabled": False}])
def test_gradients_are_those_of_the_parameters(options):
    def program(torch):
        named = {k: getattr(torch, v) if k == "dtype" else v for k, v in options.items()}
        return training(torch, **named)

    compare(program, 0.01)


@like_pytorch
def test_it_is_off_in_an_inner_block_and_outside(torch):
    x = torch.ones(2, 2)
    seen = []
    with torch.autocast("cpu"):
        with torch.autocast("cpu", enabled=False):
            seen.append(str((x @ x).dtype))
        seen.append(str((x @ x).dtype))
        with torch.autocast("cpu", dtype=torch.float16):
            seen.append(str((x @ x).dtype))
    torch.set_autocast_enabled("cpu", True)
    seen.append(str((x @ x).dtype))
    torch.set_autocast_enabled("cpu", False)
    return [*seen, str((x @ x).dtype)]


@like_pytorch
def test_it_is_left_by_an_error(torch):
    x = torch.ones(2, 2)
    with torch.autocast("cpu"):
        try:
            torch.mm(x, torch.ones(3, 3))
        except RuntimeError as error:
            text = str(error)
        inside = str(torch.mm(x, x).dtype)
    return text, inside, str(torch.mm(x, x).dtype)


def test_another_thread_computes_as_before():
    x = minitorch.ones(2, 2)
    seen = []
    with minitorch.autocast("cpu"):
        thread = threading.Thread(target=lambda: seen.append((x @ x).dtype))
        thread.start()
        thread.join()
        seen.append((x @ x).dtype)
    assert seen == [minitorch.float32, minitorch.bfloat16]


RECURRENT = {
    "lstm": "LSTM(2, 2)",
    "projected": "LSTM(2, 2, proj_size=1)",
    "rnn": "RNN(2, 2, nonlinearity='relu')",
    "gru": "GRU(2, 2)",
    "rnn cell": "RNNCell(2, 2)",
    "lstm cell": "LSTMCell(2, 2)",
}


@pytest.mark.parametrize("name", RECURRENT)
def test_recurrent_networks_compute_their_products_in_16_bits(name):
    def program(torch):
        torch.manual_seed(0)
        module = eval(f"torch.nn.{RECURRENT[name]}", {"torch": torch})
        with torch.autocast("cpu", dtype=torch.bfloat16), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the library that PyTorch would rather use
            results = module(torch.randn(3, 2))
        results[0].float().sum().backward()
        dtypes = [str(t.dtype) for t in torch.utils._pytree.tree_leaves(results)]
        return dtypes, str(
            module.weight_ih.grad.dtype if "cell" in name else module.weight_ih_l0.grad.dtype
        )

    compare(program)


EQUATIONS = ["i,i->i", "i,i->", "ij,kj->ik", "ij,ij->ij", "ij,ij->i", "ii->i", "ij->j", "i,j->ij"]


@pytest.mark.parametrize("equation", EQUATIONS)
def test_what_einsum_contracts_is_cast(equation):
    def program(torch):
        sizes = [len(term) for term in equation.partition("->")[0].split(",")]
        operands = [torch.arange(1.0, 1 + 3**n).reshape((3,) * n).sin() for n in sizes]
        with torch.autocast("cpu"):
            result = torch.einsum(equation, *operands)
        return str(result.dtype).split(".")[1], result.float()

    compare(program)


@pytest.mark.parametrize(
    "product", ["mv", "dot", "vdot", "inner", "addmv", "matmul", "mm", "outer"]
)
def test_products_of_samples(product):
    def program(torch):
        x, eye = torch.arange(6.0).view(2, 3).sin(), torch.eye(3)
        functions = {
            "mv": lambda x: torch.mv(eye, x),
            "addmv": lambda x: torch.addmv(x, eye, x),
            "mm": lambda x: torch.mm(eye, x.unsqueeze(1)),
        }
        plain = getattr(torch, product)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.vmap(functions.get(product, lambda x: plain(x, x)))(x)

    compare(program, tolerance=1e-2)


@pytest.mark.parametrize("dtype", ["bfloat16", None, 1])
def test_its_dtype_is_set_to_a_dtype(dtype):
    compare(lambda torch: torch.set_autocast_dtype("cpu", dtype))


SAMPLES = {
    "conv1d": lambda torch, x: torch.nn.functional.conv1d(x[None], x.view(1, 3, 2)[..., :1]),
    "conv2d": lambda torch, x: torch.nn.functional.conv2d(x[None], torch.ones(2, 1, 2, 1)),
    "conv_transpose1d": lambda torch, x: torch.nn.functional.conv_transpose1d(
        x[None], x.view(3, 1, 2)
    ),
    "addmm": lambda torch, x: torch.addmm(torch.eye(3), x, x.T),
    "baddbmm": lambda torch, x: torch.baddbmm(torch.eye(3), x[None], x.T[None]),
    "addbmm": lambda torch, x: torch.addbmm(torch.eye(3), x[None], x.T[None]),
    "linear": lambda torch, x: torch.nn.functional.linear(x, torch.ones(4, 2), torch.ones(4)),
    "linear with weights of each": lambda torch, x: torch.nn.functional.linear(
        torch.ones(4, 2), x, torch.ones(3)
    ),
    "linear without a bias": lambda torch, x: torch.nn.functional.linear(x, torch.ones(4, 2)),
    "prelu": lambda torch, x: torch.nn.functional.prelu(x, torch.ones(1) / 3),
    "vecdot": lambda torch, x: torch.linalg.vecdot(x, x),
    "l1_loss": lambda torch, x: torch.nn.functional.l1_loss(x.bfloat16(), x.bfloat16() * 2),
    "trace": lambda torch, x: (x @ x.T).trace(),
    "mse_loss": lambda torch, x: torch.nn.functional.mse_loss(x.bfloat16(), x.bfloat16() * 2),
}


@pytest.mark.parametrize("way", ["vmap", "vmap of grad", "grad of vmap"])
@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_cast_of_a_sample(name, way):
    def program(torch):
        dtypes = []

        def f(x):
            y = SAMPLES[name](torch, x)
            dtypes.append(str(y.dtype).split(".")[1])
            return y.float() if way == "vmap" else y.float().square().sum()

        x = torch.arange(12.0).view(2, 3, 2).sin()
        if name == "conv2d":
            x = x[:, None]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            if way == "vmap":
                result = torch.vmap(f)(x)
            elif way == "vmap of grad":
                result = torch.vmap(torch.func.grad(f))(x)
            else:
                result = torch.func.grad(lambda x: torch.vmap(f)(x).sum())(x)
        return dtypes, result

    compare(program, tolerance=3e-2)
