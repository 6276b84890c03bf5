import minitorch as torch

model = torch.nn.Sequential(
    torch.nn.Linear(2, 2, bias=False),
    torch.nn.Linear(2, 1, bias=False),
)
torch.nn.init.ones_(model[0].weight)
torch.nn.init.ones_(model[1].weight)

x = torch.tensor([[1.0, 2.0]])
loss = model(x).sum()
loss.backward()
