"""Compute in the destructors of what the interpreter frees as it ends."""

import sys

import minitorch as torch


class Late(torch.Tensor):
    def __del__(self, ones=torch.ones, vmap=torch.func.vmap, sin=torch.sin, out=sys.stdout):
        x = ones(2, requires_grad=True)
        (x * 2).sum().backward()
        vmap(sin)(ones(2, 2))
        out.write(f"{x.grad.tolist()}\n")


class Cycle:
    def __init__(self):
        self.own = self
        self.late = torch.ones(2).as_subclass(Late)
        self.graph = torch.ones(2, requires_grad=True) * 2


of_module = torch.ones(2).as_subclass(Late)
cycle = Cycle()
sys.modules["kept by sys"] = Cycle()
torch.kept_by_minitorch = torch.ones(2).as_subclass(Late)
