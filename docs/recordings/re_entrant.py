import minitorch as torch


class Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            copy = x.detach().requires_grad_()
            (copy**2).sum().backward()
        return copy.grad * gradient


x = torch.tensor([1.0, 2.0], requires_grad=True)
loss = Inner.apply(x).sum()

loss.backward()
