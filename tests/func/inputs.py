"""Tensors that the tests of `minitorch.func` share."""


def numbers(torch, *shape):
    """Different numbers, of both signs."""
    count = 1
    for size in shape:
        count *= size
    return torch.linspace(-1.0, 2.0, max(count, 2))[:count].reshape(shape).clone()
