import minitorch as torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)

h = w * b
loss = (h * h).sum()

loss.backward()
