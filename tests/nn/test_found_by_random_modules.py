"""What random networks have found to differ from PyTorch: a line for each kind.

A line is a program in the words of `tests.compat.random_modules`, which compares all that can be seen
after each of its statements.
"""

import warnings

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.compat.random_modules import run  # noqa: E402

PROGRAMS = """
# a wrong call is told with the name of the layer
nn.Conv2d(3, 4, 3)()
nn.MaxPool1d(2)(T(1, 4, 6), 2)
nn.AdaptiveAvgPool2d(1)()
nn.ReplicationPad2d(1)()
nn.LSTM(4, 3)()
nn.MaxUnpool2d(2)(T(1, 4, 6, 6))
# there is no forward
m = nn.ModuleList([nn.ReLU()]); show(m.forward); m(T(2), twice=True)
nn.RNNBase("LSTM", 4, 3)(T(5, 3, 4))
nn.ParameterDict({"a": T(2)})()
# what is refused is named with its module
m = nn.Linear(2, 2); m.weight = nn.ReLU()
m = nn.Linear(2, 2); m.register_buffer("a", torch.float64)
show(type(nn.Embedding(2, 2)), type(nn.ReLU()), type(nn.LSTMCell(2, 2)), type(nn.CTCLoss()))
# sizes in other kinds of sequences
show(nn.ZeroPad1d("abc"), nn.ReflectionPad2d(range(4)))
# sizes for other dimensions
show(nn.ConvTranspose3d(4, 4, (2, 2), groups=2), nn.Conv3d(4, 4, (2, 2), padding="same"))
m = nn.Sequential(collections.OrderedDict(a=nn.ReLU(), b=nn.Tanh())); m.insert(0, nn.Identity())
m = nn.Sequential(nn.ReLU(), nn.Tanh()); m.insert(-1, nn.Identity())
# results of several tensors in front of an activation
nn.Sequential(nn.LSTM(4, 3), nn.Tanh())(T(5, 3, 4).float())
nn.Sequential(nn.LSTM(4, 3), nn.Sigmoid())(T(5, 3, 4).float())
nn.LSTMCell(4, 3)(T(2, 4).float(), T(2, 3).float())
torch.manual_seed(0); m = nn.LSTM(4, 3, proj_size=2); y = m(T(5, 3, 4).float())
torch.manual_seed(0); m = nn.LSTM(4, 3, batch_first=True); y = m(T(5, 3, 4).float())[0].transpose(0, 1)[0] * 1
m = nn.LSTM(4, 3).double(); m(rnn.pack_sequence([T(3, 5)]))
m = nn.MultiheadAttention(6, 1, kdim=3, vdim=2).double(); m(T(5, 3, 6), T(5, 3, 6), T(5, 3, 6))
# packing
x = T(5, 3, 4); show(rnn.unpad_sequence(x, torch.tensor([2, 1, 1]))); show(x)
rnn.pad_sequence([T(2, 3), T(2, 4)])
rnn.pad_sequence([], padding_side="x")
x = T(2, 3).requires_grad_(); y = rnn.pad_sequence([x, T(1, 3).float()], padding_side="left"); total(y).backward()
p = rnn.pack_padded_sequence(T(5, 3, 4), [5, 3, 1], batch_first=True, enforce_sorted=False); show(p.data)
p = rnn.pack_padded_sequence(T(5, 3, 4), [6, 3, 1]); show(p.data, p.batch_sizes)
# losses
x = T(3, 4).bfloat16().requires_grad_(); y = F.soft_margin_loss(x, T(3, 1).sign()); y.backward(); show(x.grad)
F.mse_loss(T(3, 4), T(3, 4), reduction="abc", weight=T(3, 4).abs())
F.mse_loss(T(3, 4), T(3, 4), reduction="abc", weight=T(4))
y = F.mse_loss(T(3, 4).to(torch.complex128), T(3, 4), weight=T(3, 4).abs())
F.l1_loss(T(0, 4), T(2, 4), size_average=False)
y = F.huber_loss(T(3, 4), T(3, 4).cos(), weight=T(3, 4).abs()); F.huber_loss(T(2), T(2), "x", weight=T(2))
y = F.multilabel_soft_margin_loss(T(4), torch.ones(3, 4))
F.gaussian_nll_loss(T(3, 4), T(3, 4), T(3, 4), reduction="x")
x = T(3, 4).requires_grad_(); F.binary_cross_entropy_with_logits(x, T(3, 4).bfloat16()).backward(); show(x.grad)
# embeddings
y = nn.EmbeddingBag(10, 3, include_last_offset=True, _weight=T(10, 3))(torch.tensor([[1, 0, 2], [4, 1, 1]]))
F.embedding_bag(torch.tensor([[0, 12]]), T(10, 4))
F.embedding_bag(torch.tensor([[0, 12]]), T(10, 4).float(), padding_idx=2)
m = nn.Embedding(10, 2, max_norm=0.5, _weight=T(10, 2)); y = m(torch.tensor([[1, 2]], dtype=torch.int32))
F.embedding(torch.tensor([1.0, 0.0]), T(5, 4), max_norm=0.5)
m = nn.Embedding(10, 2, max_norm=0.5); m(torch.tensor([12, 11]))
m = nn.Embedding(10, 4, sparse=2.5); show(m); m(torch.tensor([1]))
m = nn.RNNCell(4, 3); del m.bias
# what is None is no parameter
nn.BatchNorm1d(2, affine=False).get_parameter("weight")
nn.BatchNorm1d(2, track_running_stats=False).get_buffer("running_mean")
# images
nn.FeatureAlphaDropout()(T(3))
nn.SyncBatchNorm(4)(T(2, 4), T(2, 4))
y = F.pixel_shuffle(T(2, 4, 5, 6).to(memory_format=torch.channels_last), 2)
y = F.pixel_unshuffle(T(2, 4, 4, 6).to(memory_format=torch.channels_last), 2)
F.native_channel_shuffle(T(3, 4), 2)
nn.FractionalMaxPool3d(2, output_size=2)(T(4, 3, 4, 3))
# normalization with a weight of another dtype
y = F.rms_norm(T(2, 4).float(), (4,), T(4)); y = F.rms_norm(T(2, 4), (4,), T(4).float())
F.rms_norm(T(2, 4).long(), (4,), T(4))
x = T(3).lerp(T(3).cos(), torch.tensor(0.5)); T(3).lerp(T(3), torch.tensor([0.5]))
with torch.autocast("cpu"): y = nn.ReflectionPad3d(1)(T(4, 3, 4, 3).half()); z = nn.ReplicationPad3d(1)(T(4, 3, 4, 3).half()); show(z)
# nothing is discarded where there is nothing
y = torch.ones(0).to(torch.complex64).float(); y = T(3).to(torch.complex128).float()
# the order of attributes
m = nn.Linear(2, 2); show(list(vars(m)))
# hooks of a parameter are left behind without a word
m = nn.Linear(2, 2); m.weight.register_hook(note("grad")); m = pickle.loads(pickle.dumps(m))
# a graph of gradients is warned of once the backward has ended, and also if it failed
x = T(3).requires_grad_(); y = (x * x).sum(); y.backward(); y.backward(create_graph=True)
# gradients that are not there
nn.utils.clip_grad_value_(nn.Linear(2, 2).parameters(), 0.1)
nn.utils.clip_grad_norm_(nn.Linear(2, 2).parameters(), None)
"""


@pytest.mark.parametrize(
    "text", [line for line in PROGRAMS.strip().splitlines() if not line.startswith("#")]
)
def test_as_pytorch(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        difference, _ = run(text.split("; "))
    assert difference is None, difference
