"""A loop like those that train on ImageNet: epochs, a distributed sampler, augmentation, and a validation pass.

    torchrun --nproc-per-node 2 image_classifier.py
    python -m minitorch run --nproc-per-node 2 image_classifier.py

The images are made by a generator: every class has a pattern, and each image is a noisy, shifted copy of it. Each process
gets its own part of the dataset in each epoch, and the accuracy is summed over all of them.
"""

import argparse

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

CLASSES = 10


class Patterns(Dataset):
    """Noisy copies of one pattern for each class."""

    def __init__(self, count, seed):
        patterns = torch.randn(CLASSES, 3, 16, 16, generator=torch.Generator().manual_seed(0))
        generator = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, CLASSES, (count,), generator=generator)
        noise = torch.randn(count, 3, 16, 16, generator=generator)
        self.images = patterns[self.labels] + noise

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


class Block(nn.Module):
    """Two convolutions with batch normalization, and a shortcut around them."""

    def __init__(self, channels, out_channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out_channels, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.shortcut = nn.Conv2d(channels, out_channels, 1, stride, bias=False)

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + self.shortcut(x))


def small_resnet():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, 1, 1, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        Block(8, 8, 1),
        Block(8, 16, 2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(16, CLASSES),
    )


class Average:
    """A running average that can be summed over all processes."""

    def __init__(self):
        self.total = torch.zeros(2)

    def add(self, value, count):
        self.total += torch.tensor([value * count, count])

    def over_ranks(self):
        dist.all_reduce(self.total)
        return (self.total[0] / self.total[1]).item()


def train(loader, model, criterion, optimizer):
    model.train()
    losses = Average()
    for images, labels in loader:
        output = model(images)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.add(loss.item(), len(labels))
    return losses.over_ranks()


@torch.no_grad()
def validate(loader, model, criterion):
    model.eval()
    losses, correct = Average(), Average()
    for images, labels in loader:
        output = model(images)
        losses.add(criterion(output, labels).item(), len(labels))
        correct.add((output.argmax(1) == labels).float().mean().item(), len(labels))
    return losses.over_ranks(), correct.over_ranks()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--images", type=int, default=512)
    parser.add_argument("--batch-size", type=int, default=64, help="of all processes together")
    options = parser.parse_args()

    dist.init_process_group("gloo")
    rank, size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    model = DistributedDataParallel(small_resnet())
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = StepLR(optimizer, step_size=2, gamma=0.1)

    train_set, test_set = Patterns(options.images, seed=1), Patterns(options.images // 4, seed=2)
    train_sampler = DistributedSampler(train_set)
    test_sampler = DistributedSampler(test_set, shuffle=False, drop_last=True)
    batch = options.batch_size // size
    train_loader = DataLoader(train_set, batch_size=batch, sampler=train_sampler)
    test_loader = DataLoader(test_set, batch_size=batch, sampler=test_sampler)

    for epoch in range(options.epochs):
        # without it, every epoch has the same order
        train_sampler.set_epoch(epoch)
        loss = train(train_loader, model, criterion, optimizer)
        test_loss, accuracy = validate(test_loader, model, criterion)
        scheduler.step()
        if rank == 0:
            print(
                f"epoch {epoch}  loss {loss:.4f}  test loss {test_loss:.4f}  accuracy {accuracy:.4f}",
                flush=True,
            )
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
