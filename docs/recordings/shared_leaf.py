import minitorch as torch

w = torch.tensor(3.0, requires_grad=True)

a = w * 2
b = w * w
loss = a + b

loss.backward()
