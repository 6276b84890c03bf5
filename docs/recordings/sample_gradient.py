import minitorch as torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (x * x).sum()

(gradient,) = torch.autograd.grad(loss, x)
