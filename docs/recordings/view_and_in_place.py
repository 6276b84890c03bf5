import minitorch as torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)

y = x * 2
first = y[:2]
first.mul_(10)
loss = y.sum()

loss.backward()
