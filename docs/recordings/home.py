import minitorch as torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
loss = (y * y).sum()
loss.backward()
