"""Train a small transformer on several processes, with accumulated gradients and checkpoints.

    torchrun --nproc-per-node 2 transformer_trainer.py --folder checkpoints
    python -m minitorch run --nproc-per-node 2 transformer_trainer.py --folder checkpoints

The task is to predict the next token of sequences that follow a simple rule. Every few steps all processes save a
checkpoint together. Started again with the same folder, the program goes on after the last one.
"""

import argparse
import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.nn.functional as F
from torch import nn
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.nn.parallel import DistributedDataParallel as DDP

VOCABULARY = 17
LENGTH = 12


class Model(nn.Module):
    """A decoder: embeddings of tokens and positions, encoder layers with a causal mask, and a linear layer."""

    def __init__(self, width=32, heads=4, layers=2):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, width)
        self.positions = nn.Embedding(LENGTH, width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0.0, batch_first=True)
            for _ in range(layers)
        )
        self.output = nn.Linear(width, VOCABULARY)

    def forward(self, tokens):
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.size(1))
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.size(1)))
        for layer in self.layers:
            x = layer(x, src_mask=mask)
        return self.output(x)


def batch_of(step, rank, size):
    """Sequences in which each token is the sum of the two before it, modulo the vocabulary."""
    generator = torch.Generator().manual_seed(1000 * step + rank)
    tokens = torch.randint(0, VOCABULARY, (size, 2), generator=generator)
    while tokens.size(1) <= LENGTH:
        following = (tokens[:, -1:] + tokens[:, -2:-1]) % VOCABULARY
        tokens = torch.cat([tokens, following], dim=1)
    return tokens[:, :-1], tokens[:, 1:]


class Trainer:
    def __init__(self, model, optimizer, scheduler, folder):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.folder = folder
        self.step = 0

    def state(self):
        model, optimizer = get_state_dict(self.model, self.optimizer)
        scheduler = self.scheduler.state_dict()
        return {"model": model, "optimizer": optimizer, "step": self.step, "scheduler": scheduler}

    def save(self):
        dcp.save(self.state(), checkpoint_id=self.folder)

    def resume(self):
        """Load the last checkpoint, if there is one."""
        if not os.path.exists(os.path.join(self.folder, ".metadata")):
            return
        state = self.state()
        dcp.load(state, checkpoint_id=self.folder)
        set_state_dict(
            self.model,
            self.optimizer,
            model_state_dict=state["model"],
            optim_state_dict=state["optimizer"],
        )
        self.scheduler.load_state_dict(state["scheduler"])
        self.step = state["step"]

    def train_step(self, rank, batch_size, accumulate):
        """Take one step of the optimizer with the gradients of several small batches."""
        self.optimizer.zero_grad()
        total = torch.zeros(())
        for part in range(accumulate):
            inputs, targets = batch_of(self.step * accumulate + part, rank, batch_size)
            if part + 1 < accumulate:
                with self.model.no_sync():
                    total += self.backward(inputs, targets, accumulate)
            else:
                total += self.backward(inputs, targets, accumulate)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.scheduler.step()
        self.step += 1
        dist.all_reduce(total)
        return total.item() / dist.get_world_size()

    def backward(self, inputs, targets, accumulate):
        scores = self.model(inputs)
        # the first tokens cannot be predicted
        loss = F.cross_entropy(scores[:, 1:].flatten(0, 1), targets[:, 1:].flatten()) / accumulate
        loss.backward()
        return loss.detach()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=16, help="of each process")
    parser.add_argument("--accumulate", type=int, default=2)
    parser.add_argument("--save-every", type=int, default=10)
    parser.add_argument("--folder", default="checkpoints")
    options = parser.parse_args()

    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(Model())
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=options.steps)
    trainer = Trainer(model, optimizer, scheduler, options.folder)
    trainer.resume()
    if rank == 0 and trainer.step:
        print(f"resumed after step {trainer.step}", flush=True)
    while trainer.step < options.steps:
        loss = trainer.train_step(rank, options.batch_size, options.accumulate)
        if rank == 0:
            print(f"step {trainer.step:3d}  loss {loss:.5f}", flush=True)
        if trainer.step % options.save_every == 0:
            trainer.save()
    # a thread of Gloo may still need the interpreter to free what was sent; without this, PyTorch sometimes hangs here
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
