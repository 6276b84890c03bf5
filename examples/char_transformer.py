"""A small transformer learns a text letter by letter, and continues it."""

import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn

TEXT = """
the way up and the way down are one and the same. no man ever steps in the same river twice, for it is
not the same river and he is not the same man. everything flows and nothing stays. the sun is new
each day. the road up and the road down are one and the same.
""".replace("\n", " ").strip()


class Block(nn.Module):
    """Causal attention and a perceptron, each added to its input."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def attend(self, x):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in self.qkv(x).split(width, dim=2)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).contiguous().view(batch, length, width))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self, letters, context, width=48, heads=4, layers=2):
        super().__init__()
        self.context = context
        self.letters = nn.Embedding(letters, width)
        self.places = nn.Embedding(context, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, letters, bias=False)
        self.apply(self.initialize)

    @staticmethod
    def initialize(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1])
        return self.head(self.norm(self.blocks(self.letters(tokens) + self.places(places))))

    @torch.no_grad()
    def generate(self, tokens, count):
        for _ in range(count):
            logits = self(tokens[:, -self.context :])[:, -1]
            tokens = torch.cat([tokens, logits.argmax(dim=-1, keepdim=True)], dim=1)
        return tokens


def rate_at(step, steps, warmup=5):
    """Linear warmup, then a cosine."""
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=150)
    args = parser.parse_args()

    torch.manual_seed(0)
    letters = sorted(set(TEXT))
    tokens = torch.tensor([letters.index(letter) for letter in TEXT])
    context = 32
    model = Transformer(len(letters), context)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.1)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, args.steps))
    print("parameters", sum(parameter.numel() for parameter in model.parameters()))
    for step in range(args.steps):
        starts = torch.randint(len(tokens) - context - 1, (8,)).tolist()
        inputs = torch.stack([tokens[i : i + context] for i in starts])
        targets = torch.stack([tokens[i + 1 : i + 1 + context] for i in starts])
        logits = model(inputs)
        loss = F.cross_entropy(logits.view(-1, len(letters)), targets.view(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if step % max(1, args.steps // 8) == 0:
            print(f"step {step}: loss {loss.item():.5f} gradient {norm.item():.5f}")
    model.eval()
    continued = model.generate(tokens[None, :16], 40)[0].tolist()
    print("".join(letters[token] for token in continued))


if __name__ == "__main__":
    main()
