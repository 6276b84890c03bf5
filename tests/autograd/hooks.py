"""What the tests of hooks share."""


def leaf(torch):
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def noting(log, name, factor=None):
    """A hook that writes down its name and gradient, and scales it when asked."""

    def hook(grad):
        log.append((name, grad.tolist()))
        return None if factor is None else grad * factor

    return hook
