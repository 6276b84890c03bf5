import minitorch as torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)

y = x * 2
scale = torch.tensor([10.0, 10.0, 1.0, 1.0])
loss = (y * scale).sum()

loss.backward()
