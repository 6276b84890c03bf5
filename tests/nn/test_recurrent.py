"""Recurrent networks, their cells and packed sequences against PyTorch's."""

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.nn.differential import PACKAGES, assert_close, errors, real, run  # noqa: E402

SCOPE = {
    "x": lambda t: real(t, 5, 3, 4),
    "h": lambda t: real(t, 2, 3, 6),
    "c": lambda t: real(t, 2, 3, 6, seed=1),
    "row": lambda t: real(t, 3, 4),
    "s": lambda t: real(t, 3, 6),
}
NETWORKS = [
    "nn.RNN(4, 6)",
    "nn.RNN(4, 6, 2, 'relu', bias=False)",
    "nn.RNN(4, 6, bidirectional=True, batch_first=True)",
    "nn.GRU(4, 6, 2, bidirectional=True)",
    "nn.GRU(4, 6, dropout=0.5, num_layers=2)",
    "nn.LSTM(4, 6)",
    "nn.LSTM(4, 6, 3, batch_first=True, bias=False)",
    "nn.LSTM(4, 6, 2, bidirectional=True, proj_size=3)",
]


@pytest.mark.parametrize("make", NETWORKS)
def test_a_network_gives_pytorchs_outputs_and_gradients(make):
    run(SCOPE, make, "m(x)")


@pytest.mark.parametrize("make", ["nn.RNN(4, 6, 2)", "nn.GRU(4, 6, 2)"])
def test_a_network_takes_a_state(make):
    run(SCOPE, make, "m(x, h)")


def test_an_lstm_takes_both_states_and_no_batch():
    run(SCOPE, "nn.LSTM(4, 6, 2)", "m(x, (h, c))")
    run(SCOPE, "nn.LSTM(4, 6, 2)", "m(row, (s[:2], s[1:]))")


@pytest.mark.parametrize("make", NETWORKS)
@pytest.mark.parametrize("how", ["[5, 4, 1]", "[1, 5, 3], enforce_sorted=False"])
def test_a_network_takes_a_packed_sequence(make, how):
    if "batch_first" in make:
        make = make.replace("batch_first=True", "batch_first=False")
    call = f"(lambda r: (r[0].data, r[1]))(m(nn.utils.rnn.pack_padded_sequence(x, {how})))"
    run(SCOPE, make, call)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("name", ["RNNCell", "GRUCell", "LSTMCell"])
def test_a_cell_gives_pytorchs_state_and_gradients(name, bias):
    run(SCOPE, f"nn.{name}(4, 6, {bias})", "m(row)")
    run(SCOPE, f"nn.{name}(4, 6, {bias})", "m(row, (s, s))" if "LSTM" in name else "m(row, s)")
    run(SCOPE, f"nn.{name}(4, 6, {bias})", "m(row[0])")


ERRORS = [
    "nn.RNN(4, 6, dropout=2)",
    "nn.RNN(4, 6, nonlinearity='foo')",
    "nn.GRU(4, 6, proj_size=2)",
    "nn.LSTM(4, 6, proj_size=6)",
    "nn.LSTM(0, 6)",
    "nn.LSTM(4, 6.0)",
    "nn.LSTM(4, 6, 0)",
    "nn.LSTM(4, 6, bias=1)",
    "nn.LSTM(4, 6)(torch.zeros(3))",
    "nn.RNN(4, 6)(torch.zeros(3))",
    "nn.LSTM(4, 6)(torch.zeros(3, 1, 5))",
    "nn.LSTM(4, 6)(torch.zeros(3, 1, 4, dtype=torch.float64))",
    "nn.GRU(4, 6)(torch.zeros(3, 1, 4), torch.zeros(1, 2, 6))",
    "nn.GRU(4, 6)(torch.zeros(3, 1, 4), torch.zeros(1, 6))",
    "nn.LSTM(4, 6)(torch.zeros(3, 1, 4), (torch.zeros(1, 1, 6), torch.zeros(1, 1, 5)))",
    "nn.LSTM(4, 6)(torch.zeros(3, 4), (torch.zeros(1, 1, 6), torch.zeros(1, 1, 6)))",
    "nn.RNNCell(4, 6)(torch.zeros(1, 2, 4))",
    "nn.GRUCell(4, 6)(torch.zeros(2, 4), torch.zeros(1, 2, 6))",
    "nn.LSTMCell(4, 6)(torch.zeros(2, 5))",
    "nn.GRUCell(4, 6)(torch.zeros(2, 4), torch.zeros(3, 6))",
    "nn.RNNCell(4, 6, nonlinearity='foo')(torch.zeros(2, 4))",
    "nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 2), [1, 3])",
    "nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 2), [3, 0])",
    "nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 2), [3])",
    "nn.utils.rnn.pad_sequence(3)",
    "nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_sequence([torch.ones(3)]), total_length=2)",
]


@pytest.mark.parametrize("text", ERRORS)
def test_errors_are_pytorchs(text):
    theirs, ours = errors(text)
    assert ours == theirs


def test_packing_and_padding_are_pytorchs():
    found = []
    for t in PACKAGES:
        rnn = t.nn.utils.rnn
        sequences = [t.arange(float(n)).reshape(n, 1) + n for n in (2, 4, 1)]
        packed = rnn.pack_sequence(sequences, enforce_sorted=False)
        padded, lengths = rnn.pad_packed_sequence(packed, padding_value=-1.0, total_length=5)
        found.append([
            list(packed), padded, lengths,
            rnn.pad_sequence(sequences, True, 7.0), rnn.pad_sequence(sequences, padding_side="left"),
            rnn.unpad_sequence(padded.clone(), lengths), rnn.unpack_sequence(packed),
            rnn.invert_permutation(t.tensor([2, 0, 1])),
        ])  # fmt: skip
    assert_close(found[1], found[0])
