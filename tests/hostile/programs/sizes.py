"""Try every size argument at the limits of what integers and addresses can hold, alone and in pairs."""

import itertools

from survival import survive

import minitorch as torch
import minitorch.nn.functional as F

LARGE = [2**31, 2**32, 2**40, 2**60, 2**61, 2**62, 2**63 - 1]
x1, x2, x3 = torch.zeros(1, 1, 5), torch.zeros(1, 1, 5, 5), torch.zeros(1, 1, 4, 4, 4)
w1, w2, w3 = torch.ones(1, 1, 2), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2, 2)
flat = torch.ones(4)

ONE = {
    "empty": lambda n: torch.empty(n),
    "zeros": lambda n: torch.zeros(n, 0, n),
    "ones": lambda n: torch.ones(n),
    "full": lambda n: torch.full((n,), 1),
    "arange": lambda n: torch.arange(n),
    "linspace": lambda n: torch.linspace(0, 1, n),
    "logspace": lambda n: torch.logspace(0, 1, n),
    "eye": lambda n: torch.eye(n),
    "randperm": lambda n: torch.randperm(n),
    "hann_window": lambda n: torch.hann_window(n),
    "resize_": lambda n: torch.ones(2).resize_(n),
    "repeat": lambda n: flat.repeat(n),
    "repeat_interleave": lambda n: flat.repeat_interleave(n),
    "expand": lambda n: torch.ones(1).expand(n).sum if n > 2**40 else None,
    "chunk": lambda n: flat.chunk(n),
    "tensor_split": lambda n: flat.tensor_split(n),
    "split": lambda n: flat.split(n),
    "narrow": lambda n: flat.narrow(0, 0, n),
    "roll": lambda n: flat.roll(n),
    "topk": lambda n: flat.topk(n),
    "kthvalue": lambda n: flat.kthvalue(n),
    "one_hot": lambda n: F.one_hot(torch.tensor([1]), n),
    "bincount": lambda n: torch.bincount(torch.tensor([1]), minlength=n),
    "histc": lambda n: torch.histc(flat, bins=n),
    "multinomial": lambda n: torch.multinomial(flat, n, replacement=True),
    "combinations": lambda n: torch.combinations(flat[:1], n),
    "fft": lambda n: torch.fft.fft(flat, n),
    "rfft": lambda n: torch.fft.irfft(flat, n),
    "pixel_shuffle": lambda n: F.pixel_shuffle(x2, n),
    "interpolate": lambda n: F.interpolate(x1, size=n),
    "adaptive_avg_pool1d": lambda n: F.adaptive_avg_pool1d(x1, n),
    "adaptive_max_pool2d": lambda n: F.adaptive_max_pool2d(x2, n),
    "from diagonal": lambda n: torch.diag_embed(flat, n),
    "UntypedStorage": lambda n: torch.UntypedStorage(n),
    "embedding": lambda n: torch.nn.Embedding(n, 2),
    "Linear": lambda n: torch.nn.Linear(n, 2),
}
TWO = {
    "tril_indices": lambda n, m: torch.tril_indices(n, m),
    "triu_indices": lambda n, m: torch.triu_indices(n, m),
    "tril_indices offset": lambda n, m: torch.tril_indices(2, n, -m),
    "triu_indices offset": lambda n, m: torch.triu_indices(n, 2, m),
    "empty": lambda n, m: torch.empty(n, m),
    "expand": lambda n, m: torch.ones(1, 1).expand(n, m).shape,
    "as_strided": lambda n, m: flat.as_strided((2, 2), (n, m)),
    "as_strided offset": lambda n, m: flat.as_strided((n,), (0,), m),
    "unfold": lambda n, m: flat.unfold(0, n, m),
    "pad": lambda n, m: F.pad(flat, (n, m)),
    "pad reflect": lambda n, m: F.pad(x1, (n, m), mode="reflect"),
    "pad circular": lambda n, m: F.pad(x1, (n, m), mode="circular"),
    "conv1d": lambda n, m: F.conv1d(x1, w1, padding=n, stride=m),
    "conv2d": lambda n, m: F.conv2d(x2, w2, padding=n, stride=m),
    "conv3d": lambda n, m: F.conv3d(x3, w3, padding=n, stride=m),
    "conv2d dilation": lambda n, m: F.conv2d(x2, w2, padding=n, dilation=m),
    "conv_transpose1d": lambda n, m: F.conv_transpose1d(x1, w1, padding=n, stride=m),
    "conv_transpose2d": lambda n, m: F.conv_transpose2d(x2, w2, padding=n, stride=m),
    "conv_transpose dilation": lambda n, m: F.conv_transpose2d(x2, w2, dilation=n, stride=m),
    "max_pool1d": lambda n, m: F.max_pool1d(x1, n, m),
    "max_pool2d": lambda n, m: F.max_pool2d(x2, 2, n, m),
    "avg_pool2d": lambda n, m: F.avg_pool2d(x2, n, m),
    "avg_pool2d padding": lambda n, m: F.avg_pool2d(x2, 2, n, m),
    "lp_pool2d": lambda n, m: F.lp_pool2d(x2, 2, n, m),
    "fold": lambda n, m: F.fold(torch.ones(1, 4, 4), (n, m), 2),
    "unfold 2d": lambda n, m: F.unfold(x2, 2, dilation=n, padding=m),
    "unfold stride": lambda n, m: F.unfold(x2, 2, stride=n, padding=m),
    "interpolate": lambda n, m: F.interpolate(x2, size=(n, m)),
    "tile": lambda n, m: torch.tile(flat, (n, m)),
    "set_": lambda n, m: torch.ones(2).set_(flat.untyped_storage(), n, (m,), (1,)),
    "vander": lambda n, m: torch.vander(flat, n),
    "stft": lambda n, m: torch.stft(torch.ones(50), n, m, return_complex=True),
}
calls = [(f"{name} {n}", lambda f=f, n=n: f(n)) for name, f in ONE.items() for n in LARGE]
calls += [
    (f"{name} {n} {m}", lambda f=f, n=n, m=m: f(n, m))
    for name, f in TWO.items()
    for n, m in itertools.product(LARGE, LARGE)
]
print(*survive(calls), sep="\n")
