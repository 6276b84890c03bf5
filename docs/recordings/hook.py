import minitorch as torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


def halve(gradient):
    return gradient / 2


h = x * 4
h.register_hook(halve)
h.retain_grad()
loss = (h * h).sum()

loss.backward()
