"""Weight norm and spectral norm, the new ones and the old ones."""

import pytest

from tests.both import compare, like_pytorch

LAYERS = {
    "linear": lambda nn: (nn.Linear(4, 3), (2, 4)),
    "conv": lambda nn: (nn.Conv2d(2, 3, 2), (1, 2, 4, 4)),
    "transposed": lambda nn: (nn.ConvTranspose1d(2, 3, 2), (1, 2, 4)),
}
FORMS = {
    "weight": lambda u: u.parametrizations.weight_norm,
    "spectral": lambda u: u.parametrizations.spectral_norm,
    "old weight": lambda u: u.weight_norm,
    "old spectral": lambda u: u.spectral_norm,
}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dim", ["default", 0, 1, -1, None])
def test_outputs_gradients_and_state(layer, form, dim):
    def program(torch):
        torch.manual_seed(1)
        module, shape = LAYERS[layer](torch.nn)
        module.double()  # roundings are not what is compared
        options = {} if dim == "default" else {"dim": dim}
        module = FORMS[form](torch.nn.utils)(module, **options)
        outs = []
        for _ in range(3):
            y = module(torch.randn(shape).double())
            y.square().sum().backward()
            outs.append(y)
        module.eval()
        outs.append(module(torch.ones(shape).double()))
        grads = {n: p.grad for n, p in module.named_parameters()}
        return outs, dict(module.state_dict()), grads, repr(module), module.weight.requires_grad

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("form", ["weight", "spectral"])
def test_vectors(form):
    def program(torch):
        module = FORMS[form](torch.nn.utils)(torch.nn.Linear(3, 2), "bias")
        with torch.no_grad():
            for p in module.parameters():
                p.fill_(0.5)
        return module.bias

    compare(program)


@pytest.mark.parametrize("form", ["old weight", "old spectral"])
def test_remove(form):
    def program(torch):
        torch.manual_seed(1)
        module = FORMS[form](torch.nn.utils)(torch.nn.Linear(4, 3))
        module(torch.ones(4))
        remove = getattr(torch.nn.utils, "remove_" + form.replace("old ", "") + "_norm")
        remove(module)
        state = dict(module.state_dict()), type(module.weight).__name__, repr(module)
        try:
            remove(module)
        except ValueError as error:
            return *state, str(error), len(module._forward_pre_hooks), len(module._state_dict_hooks)

    compare(program)


@pytest.mark.parametrize("form", ["old weight", "old spectral"])
@pytest.mark.parametrize(
    "make",
    [
        "twice",
        "lazy",
        "none",
        "wrong",
    ],
)
def test_mistakes_of_the_old_ones(form, make):
    def program(torch):
        norm = FORMS[form](torch.nn.utils)
        if make == "twice":
            norm(norm(torch.nn.Linear(2, 2)))
        elif make == "lazy":
            norm(torch.nn.LazyLinear(2))
        elif make == "none":
            norm(torch.nn.Linear(2, 2, bias=False), "bias")
        else:
            norm(torch.nn.Linear(2, 2), "wait")

    compare(program)


@pytest.mark.parametrize(
    "call",
    [
        "P.spectral_norm(L, dim=2)",
        "P.spectral_norm(L, dim=-3)",
        "P.spectral_norm(L, n_power_iterations=0)",
        "U.spectral_norm(L, n_power_iterations=0)",
        "P.spectral_norm(L, 'wait')",
        "P.weight_norm(L, 'wait')",
        "P.orthogonal(L, 'wait')",
        "P.orthogonal(L, 'bias')",
        "P.orthogonal(L, orthogonal_map='no')",
        "P.orthogonal(torch.nn.Linear(2, 2).to(torch.complex64), orthogonal_map='householder')",
    ],
)
def test_mistakes(call):
    def program(torch):
        names = {"torch": torch, "P": torch.nn.utils.parametrizations, "U": torch.nn.utils}
        eval(call, names, {"L": torch.nn.Linear(2, 2)})

    compare(program)


@like_pytorch
def test_the_new_weight_norm_loads_what_the_old_one_saved(torch):
    torch.manual_seed(0)
    old = torch.nn.utils.weight_norm(torch.nn.Linear(3, 2))
    new = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))
    result = new.load_state_dict(old.state_dict())
    return str(result), new.weight, old.weight


@like_pytorch
def test_the_old_spectral_norm_writes_its_version(torch):
    torch.manual_seed(0)
    layer = torch.nn.utils.spectral_norm(torch.nn.Linear(3, 2))
    state = layer.state_dict()
    other = torch.nn.utils.spectral_norm(torch.nn.Linear(3, 2))
    result = str(other.load_state_dict(state))
    del state._metadata
    again = str(other.load_state_dict(state))
    return result, again, dict(layer.state_dict()._metadata), dict(other.state_dict())


@like_pytorch
def test_the_old_spectral_norm_misses_what_older_versions_saved(torch):
    layer = torch.nn.utils.spectral_norm(torch.nn.Linear(3, 2))
    layer.load_state_dict({"bias": torch.ones(2)})


MAPS = ["matrix_exp", "cayley", "householder", None]


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 3)], ids=str)
@pytest.mark.parametrize("kind", MAPS)
@pytest.mark.parametrize("trivialization", [True, False])
def test_orthogonal(shape, kind, trivialization):
    pytest.importorskip("minitorch.linalg", reason="needs linalg")

    def program(torch):
        torch.manual_seed(1)
        module = torch.nn.Module()
        module.weight = torch.nn.Parameter(torch.randn(shape))
        torch.nn.utils.parametrizations.orthogonal(
            module, orthogonal_map=kind, use_trivialization=trivialization
        )
        q = module.weight
        (q * torch.arange(q.numel()).reshape(q.shape)).sum().backward()
        grads = [p.grad for p in module.parameters()]
        assigned = torch.linalg.qr(torch.randn(shape))[0].reshape(-1)[: q.numel()]
        try:
            module.weight = (
                assigned.reshape(q.shape) if assigned.numel() == q.numel() else q.detach()
            )
            after = module.weight
        except (NotImplementedError, ValueError) as error:
            after = str(error)
        result = [q.detach(), after, *grads]
        return [r if isinstance(r, str) else r.clone(memory_format=torch.contiguous_format) for r in result]  # fmt: skip

    compare(program, tolerance=2e-5)


@pytest.mark.parametrize("dim", [0, -1, 1])
def test_the_weight_norm_of_a_scalar_has_no_dimension(dim):
    compare(lambda torch: torch._weight_norm(torch.tensor(2.0), torch.tensor(3.0), dim))
