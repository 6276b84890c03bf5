import minitorch as torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
first = (w * 2).sum()
second = (w * 10).sum()

second.backward()
first.backward()
