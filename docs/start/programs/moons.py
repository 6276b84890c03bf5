# docs: all
from sklearn.datasets import make_moons

import minitorch as torch
from minitorch import nn
from minitorch.nn import functional as F

torch.manual_seed(0)

points, classes = make_moons(200, noise=0.15, random_state=0)
x = torch.tensor(points, dtype=torch.float32)
y = torch.tensor(classes, dtype=torch.float32)

model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

for _ in range(300):
    loss = F.binary_cross_entropy_with_logits(model(x)[:, 0], y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

right = ((model(x)[:, 0] > 0) == (y > 0)).sum().item()
print(f"loss {loss.item():.4f}, {right} of {len(x)} points on their side")
# docs: end
