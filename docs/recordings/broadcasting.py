import minitorch as torch

w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
b = torch.tensor([10.0, 20.0], requires_grad=True)
s = torch.tensor(2.0, requires_grad=True)

y = (w + b) * s
loss = y.sum()

loss.backward()
