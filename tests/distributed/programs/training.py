"""Train small models on this rank's part of each batch, and write the losses of all steps.

``training.py FOLDER MODE ...`` writes losses.json. The modes: ``plain`` trains the bare module, ``local`` uses
DistributedDataParallel, and ``synchronized`` also has batch normalization with the statistics of all ranks.
"""

import json
import sys
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

BATCH = 8
STEPS = 6


class Transformer(nn.Module):
    """A classifier of sequences: an embedding, one encoder layer, and a linear layer."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.output = nn.Linear(8, 5)

    def forward(self, tokens):
        """Return the scores of the classes."""
        return self.output(self.encoder(self.embedding(tokens)).mean(1))


def model_and_data(name):
    """Return a module and functions that return the inputs and the classes of step `k`."""
    count = torch.arange(BATCH * 6 * 64, dtype=torch.float64)
    if name == "mlp":
        model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 5))
        inputs = lambda k: (count[: BATCH * 6] * (k + 1)).sin().view(BATCH, 6)  # noqa: E731
    elif name == "cnn":
        model = nn.Sequential(
            nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 3, 3, bias=False),
            nn.BatchNorm2d(3), nn.Flatten(), nn.Linear(48, 5),
        )  # fmt: skip
        inputs = lambda k: (count[: BATCH * 64] * (k + 1)).sin().view(BATCH, 1, 8, 8)  # noqa: E731
    else:
        model = Transformer()
        inputs = lambda k: (count[: BATCH * 6].long() * (k + 3) % 11).view(BATCH, 6)  # noqa: E731
    return model, inputs, lambda k: (torch.arange(BATCH) * (k + 2)) % 5


def train(name, mode):
    """Return the mean of the losses of all ranks in each step."""
    rank, size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    model, inputs, classes = model_and_data(name)
    if mode == "synchronized":
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    if mode != "plain":
        # several buckets, so that the order of reductions matters
        model = DistributedDataParallel(model, bucket_cap_mb=0.0005)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for k in range(STEPS):
        optimizer.zero_grad()
        mine = slice(rank * BATCH // size, (rank + 1) * BATCH // size)
        loss = cross_entropy(model(inputs(k)[mine]), classes(k)[mine])
        loss.backward()
        optimizer.step()
        mean = loss.detach() / size
        dist.all_reduce(mean)
        losses.append(mean.item())
    return losses


def main():
    """Train every model in every mode that the command line names."""
    folder, *modes = sys.argv[1:]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    dist.init_process_group("gloo")
    losses = {
        mode: {name: train(name, mode) for name in ("mlp", "cnn", "transformer")} for mode in modes
    }
    if dist.get_rank() == 0:
        Path(folder, "losses.json").write_text(json.dumps(losses))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
