# docs: data
from sklearn.datasets import load_digits

import minitorch as torch
from minitorch import nn
from minitorch.nn import functional as F
from minitorch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)

digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
labels = torch.tensor(digits.target)

train_set, test_set = random_split(TensorDataset(images, labels), [1437, 360])
train_batches = DataLoader(train_set, batch_size=32, shuffle=True)
test_batches = DataLoader(test_set, batch_size=360)
# docs: end


# docs: network
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, kernel_size=3, padding=1)
        self.linear = nn.Linear(32 * 4 * 4, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.linear(x.flatten(1))


model = Net()
# docs: end


# docs: test
def accuracy(batches):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for x, y in batches:
            right += (model(x).argmax(dim=1) == y).sum().item()
            total += len(y)
    return right / total


# docs: end

# docs: train
optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=8, gamma=0.2)
losses, accuracies = [], []

for epoch in range(1, 13):
    model.train()
    for x, y in train_batches:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    schedule.step()
    accuracies.append(accuracy(test_batches))
    print(f"epoch {epoch:2}: last loss {losses[-1]:.4f}, test accuracy {accuracies[-1]:.1%}")
# docs: end
