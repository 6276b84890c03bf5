"""A convolutional network learns to read digits: Adadelta, StepLR, dropout, a test after each epoch.

The digits are scikit-learn's (8 x 8 pixels); without scikit-learn they are drawn by a generator.
"""

import argparse

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.optim.lr_scheduler import StepLR


def digits():
    """Images (n, 1, 8, 8) between 0 and 1, and labels."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        prototypes = torch.rand(10, 1, 8, 8)
        labels = torch.arange(1797) % 10
        return (prototypes[labels] + 0.3 * torch.randn(1797, 1, 8, 8)).clamp(0, 1), labels
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16
    return images, torch.tensor(data.target)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(32 * 4 * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(self.dropout1(x), 1)
        x = self.dropout2(F.relu(self.fc1(x)))
        return F.log_softmax(self.fc2(x), dim=1)


def train(model, images, labels, optimizer, batch_size):
    model.train()
    order = torch.randperm(len(images))
    total = 0.0
    for batch in order.split(batch_size):
        optimizer.zero_grad()
        loss = F.nll_loss(model(images[batch]), labels[batch])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    return total / len(images)


@torch.no_grad()
def test(model, images, labels):
    model.eval()
    output = model(images)
    loss = F.nll_loss(output, labels).item()
    correct = output.argmax(dim=1).eq(labels).sum().item()
    return loss, correct / len(images)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--images", type=int, default=1797)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()

    torch.manual_seed(1)
    images, labels = digits()
    images, labels = images[: args.images], labels[: args.images]
    split = len(images) * 4 // 5
    model = Net()
    optimizer = optim.Adadelta(model.parameters(), lr=1.0)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.7)
    for epoch in range(1, args.epochs + 1):
        loss = train(model, images[:split], labels[:split], optimizer, args.batch_size)
        test_loss, accuracy = test(model, images[split:], labels[split:])
        rate = scheduler.get_last_lr()[0]
        print(
            f"epoch {epoch}: rate {rate:.4f} loss {loss:.5f} test {test_loss:.5f} accuracy {accuracy:.3f}"
        )
        scheduler.step()


if __name__ == "__main__":
    main()
