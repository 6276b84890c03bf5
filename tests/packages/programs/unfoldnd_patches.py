"""unfoldNd: patches of one, two and three dimensions, put together again."""

import torch
import unfoldNd

for dims in (1, 2, 3):
    for options in (
        {"kernel_size": 2},
        {"kernel_size": 3, "padding": 1, "stride": 2},
        {"kernel_size": 2, "dilation": 2, "padding": 1},
    ):
        torch.manual_seed(0)
        x = torch.randn(2, 3, *[6] * dims, requires_grad=True)
        patches = unfoldNd.unfoldNd(x, **options)
        patches.square().sum().backward()
        folded = unfoldNd.foldNd(patches.detach(), (6,) * dims, **options)
        shape = unfoldNd.UnfoldNd(**options)(x).shape
        found = (patches.detach(), x.grad, folded)
        print(dims, *shape, *(round(float(value.abs().sum()), 2) for value in found))
    transposed = unfoldNd.UnfoldTransposeNd(kernel_size=2, stride=2)(x)
    print(*transposed.shape, round(float(transposed.abs().sum()), 2))
