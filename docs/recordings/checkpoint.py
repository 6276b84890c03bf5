import minitorch as torch
from minitorch.utils.checkpoint import checkpoint


def block(x):
    return (x * x).exp()


x = torch.tensor([0.5, 1.0], requires_grad=True)
y = checkpoint(block, x, use_reentrant=False)
loss = y.sum()

loss.backward()
