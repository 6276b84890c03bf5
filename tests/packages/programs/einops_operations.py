"""einops: rearrangements, reductions and products, and their gradients."""

import torch


def show(*values):
    print(*(round(float(value), 4) for value in values))


from einops import einsum, pack, rearrange, reduce, repeat, unpack

x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
y = rearrange(x, "b c w -> (b w) c")
show(*y.shape, (y * torch.arange(24.0).reshape(8, 3)).sum())
show(*reduce(x, "b c w -> b", "mean").tolist())
show(*repeat(x, "b c w -> b c (w k)", k=2).shape)
show(reduce(x, "b c w -> c", "max").sum(), reduce(x, "b (c2 c) w -> b", "prod", c2=3).sum())
show(einsum(x, x, "b c w, b d w -> b c d").sum())
p, ps = pack([x, torch.ones(2, 5)], "b *")
show(*p.shape)
show(*[u.numel() for u in unpack(p, ps, "b *")])
reduce(x, "b c w -> b", "mean").pow(2).sum().backward()
show(x.grad.sum())
