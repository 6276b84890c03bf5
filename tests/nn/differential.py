"""The same module or function, with the same weights and input, in PyTorch and here."""

import warnings

import numpy as np
import torch

import minitorch

PACKAGES = (torch, minitorch)


def real(package, *shape, seed=0, grad=True):
    """Normal numbers in float64."""
    values = np.random.RandomState(seed + sum(shape)).standard_normal(shape)
    return package.tensor(values).requires_grad_(grad)


def flat(result):
    """The tensors in a result, in order."""
    if isinstance(result, (torch.Tensor, minitorch.Tensor)):
        return [result]
    if isinstance(result, (tuple, list)):
        return [t for part in result for t in flat(part)]
    return []


def assert_close(ours, theirs):
    """The same tensors: shapes, dtypes and values."""
    ours, theirs = flat(ours), flat(theirs)
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert tuple(a.shape) == tuple(b.shape)
        assert str(a.dtype) == str(b.dtype)
        np.testing.assert_allclose(
            a.detach().numpy(), b.detach().numpy(), rtol=1e-7, atol=1e-9, equal_nan=True
        )


def gradients(result, leaves):
    """Of a sum over all results, each element with a factor of its own."""
    total = 0
    for t in flat(result):
        if t.requires_grad:
            factors = np.cos(np.arange(t.numel())).reshape(tuple(t.shape))
            package = torch if isinstance(t, torch.Tensor) else minitorch
            total = total + (t * package.tensor(factors)).sum()
    total.backward()
    return [leaf.grad if leaf.grad is not None else leaf.detach() * 0 for leaf in leaves]


def run(scope, make, call):
    """The result of ``call`` in a scope with the module `m`, and the gradients of parameters and inputs."""
    found = []
    state = None
    for package in PACKAGES:
        package.manual_seed(3)
        names = {"torch": package, "nn": package.nn, "F": package.nn.functional}
        names |= {key: value(package) for key, value in scope.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = eval(make, dict(names)).to(package.float64) if make else None
            if state is not None:
                module.load_state_dict({k: minitorch.tensor(v) for k, v in state.items()})
            elif module is not None and not make.startswith("nn.Lazy"):
                state = {k: v.numpy().copy() for k, v in module.state_dict().items()}
            package.manual_seed(4)
            result = eval(call, names | {"m": module})
        leaves = [v for v in names.values() if flat(v) and v.requires_grad]
        if module is not None:
            leaves += list(module.parameters())
        wanted = any(t.requires_grad for t in flat(result))
        grads = gradients(result, leaves) if wanted else []
        found.append((result, grads, module))
    (theirs, their_grads, their_module), (ours, our_grads, our_module) = found
    assert_close(ours, theirs)
    assert_close(our_grads, their_grads)
    if make:
        assert repr(our_module) == repr(their_module)
        a, b = our_module.state_dict(), their_module.state_dict()
        assert list(a) == list(b)
        assert_close(list(a.values()), list(b.values()))


def errors(text, scope=None):
    """What ``text`` raises in both packages: type and text."""
    found = []
    for package in PACKAGES:
        names = {"torch": package, "nn": package.nn, "F": package.nn.functional}
        names |= {key: value(package) for key, value in (scope or {}).items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(text, names)
            found.append(None)
        except Exception as error:
            found.append((type(error).__name__, str(error)))
    assert found[0] is not None
    return found
