import minitorch as torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
h = w * 2
first = h.sum()
second = (w * 10).sum()

second.backward()
first.backward()
