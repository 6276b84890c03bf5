"""A program of either library: the same parameters, and gradients that are a formula of NumPy."""

import numpy as np

import minitorch


def array(x):
    return x.detach().numpy() if hasattr(x, "detach") else np.asarray(x)


def start(dtype, matrices=False):
    rng = np.random.RandomState(0)
    values = [rng.standard_normal((4, 3)), rng.standard_normal((2, 3) if matrices else 5)]
    if dtype.startswith("complex"):
        values = [value + 1j * rng.standard_normal(value.shape) for value in values]
    return [value.astype(dtype) for value in values]


def parameters(module, dtype="float64", matrices=False):
    return [module.from_numpy(v.copy()).requires_grad_() for v in start(dtype, matrices)]


def evaluate(module, params):
    """Put the gradients in place and give the loss."""
    loss = 0.0
    for k, p in enumerate(params):
        value = array(p)
        factor = 0.5 + (np.arange(value.size).reshape(value.shape) % 5) / 3 + k
        grad = factor * value + np.sin(value.real)
        p.grad = module.from_numpy(grad.astype(value.dtype))
        loss += float(np.sum(factor * abs(value) ** 2 / 2 - np.cos(value.real)))
    return module.tensor(loss, dtype=module.float64)


def made(module, text, params):
    scope = {"torch": module, "p": params, "optim": module.optim}
    return eval(f"optim.{text}", scope)


def run(module, optimizer, params, steps):
    """The parameters after each step."""
    path = []
    for _ in range(steps):
        optimizer.step(lambda: evaluate(module, params))
        path.append([array(p).copy() for p in params])
    return path


def converted(value, module):
    """A checkpoint of the other library as one of this."""
    if hasattr(value, "detach"):
        return module.from_numpy(np.array(array(value)))
    if isinstance(value, dict):
        return {k: converted(v, module) for k, v in value.items()}
    if isinstance(value, list):
        return [converted(v, module) for v in value]
    return value


def assert_same(ours, theirs, rtol):
    """Checkpoints or paths are the same, with their order and the dtypes of tensors."""
    if hasattr(theirs, "detach") or isinstance(theirs, np.ndarray):
        assert type(ours) in (minitorch.Tensor, np.ndarray)
        assert array(ours).dtype == array(theirs).dtype
        np.testing.assert_allclose(array(ours), array(theirs), rtol=rtol, atol=rtol / 10)
    elif isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            assert_same(ours[key], theirs[key], rtol)
    elif isinstance(theirs, list | tuple):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            assert_same(a, b, rtol)
    elif isinstance(theirs, float):
        np.testing.assert_allclose(float(ours), theirs, rtol=rtol, atol=rtol / 10)
    else:
        assert ours == theirs


def outcome(module, text, **scope):
    """Type and text of the exception that an expression raises."""
    w = module.ones(2, requires_grad=True)
    w.grad = module.ones(2)
    m = module.ones(2, 2, requires_grad=True)
    m.grad = module.ones(2, 2)
    c = module.ones(2, dtype=module.complex64, requires_grad=True)
    c.grad = module.ones(2, dtype=module.complex64)
    scope = {"torch": module, "optim": module.optim, "w": w, "m": m, "c": c, **scope}
    try:
        eval(f"optim.{text}", scope)
    except Exception as error:
        return type(error), str(error)
    return None
