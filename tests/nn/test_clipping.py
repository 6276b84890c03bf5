"""Clipping gradients, vectors of parameters, packed sequences: values, warnings and mistakes."""

import pytest

from tests.both import compare

CLIPS = [
    "U.clip_grad_norm_(ps, 1.0)",
    "U.clip_grad_norm_(ps, 100.0)",
    "U.clip_grad_norm_(ps, 1.0, norm_type=1)",
    "U.clip_grad_norm_(ps, 1.0, norm_type='inf')",
    "U.clip_grad_norm_(ps, 1.0, norm_type=float('inf'))",
    "U.clip_grad_norm_(ps, 1.0, norm_type=0)",
    "U.clip_grad_norm_(ps, 1.0, norm_type=-2)",
    "U.clip_grad_norm_(ps[0], 1.0)",
    "U.clip_grad_norm_((p for p in ps), 1.0)",
    "U.clip_grad_norm_((p for p in []), 1.0)",
    "U.clip_grad_norm_([], 1.0)",
    "U.clip_grad_norm_(ps[2:], 1.0)",
    "U.clip_grad_norm_(ps, 'a')",
    "U.clip_grad_norm_(ps, 1.0, foreach=True)",
    "U.clip_grad_norm_(ps, 1.0, foreach=False)",
    "U.clip_grad_norm_(bad, 1.0)",
    "U.clip_grad_norm_(bad, 1.0, error_if_nonfinite=True)",
    "U.clip_grad_norm(ps, 1.0)",
    "U.clip_grad_value_(ps, 0.5)",
    "U.clip_grad_value_(ps[0], 0.5)",
    "U.clip_grad_value_(bad, 0.5)",
    "U.clip_grad_value_(ps, 'a')",
    "U.clip_grads_with_norm_(ps, 2.0, torch.tensor(4.0))",
    "U.clip_grads_with_norm_(ps, 2.0, torch.tensor(1.0))",
    "U.clip_grads_with_norm_([], 2.0, torch.tensor(1.0))",
    "U.get_total_norm([p.grad for p in ps[:2]])",
    "U.get_total_norm([])",
    "U.get_total_norm(ps[0])",
    "U.get_total_norm([torch.ones(2), torch.ones(3).double()])",
    "U.get_total_norm([torch.tensor([float('nan')])], error_if_nonfinite=True)",
    "U.get_total_norm([torch.ones(2).half()], 3)",
    "U.parameters_to_vector(ps)",
    "U.parameters_to_vector([ps[0].t()])",
    "U.parameters_to_vector([])",
    "U.vector_to_parameters(torch.arange(10.0), ps)",
    "U.vector_to_parameters(torch.arange(3.0), ps)",
    "U.vector_to_parameters([1.0], ps)",
]


@pytest.mark.parametrize("text", CLIPS)
def test_clipping_and_vectors(text):
    def program(torch):
        ps = [
            torch.arange(6.0).reshape(2, 3).requires_grad_(),
            torch.ones(2, requires_grad=True),
            torch.ones(2, requires_grad=True),
        ]
        ps[0].grad, ps[1].grad = torch.arange(6.0).reshape(2, 3) - 3, torch.tensor([0.5, -9.0])
        bad = [torch.ones(2, requires_grad=True)]
        bad[0].grad = torch.tensor([float("inf"), 1.0])
        result = eval(text, {"U": torch.nn.utils, "ps": ps, "bad": bad, "torch": torch})
        return result, [p.grad for p in ps + bad], ps, torch.is_grad_enabled()

    compare(program)


PACKED = [
    "p", "p.data", "p.batch_sizes", "p.double().data", "p.char().data", "p.byte().data", "p.short().data",
    "p.int().data", "p.long().data", "p.half().data", "p.float() is p", "p.to(torch.float64).data",
    "p.cpu() is p", "p.is_cuda", "p.is_pinned()", "p.cuda()", "p.pin_memory()",
    "R.pad_packed_sequence(p)", "R.pad_packed_sequence(p, batch_first=True, padding_value=-1.0)",
    "R.pad_packed_sequence(p, total_length=5)", "R.pad_packed_sequence(p, total_length=2)",
    "R.unpack_sequence(p)", "R.pack_sequence(xs)", "R.pack_sequence(xs, enforce_sorted=False)",
    "R.pad_sequence(xs)", "R.pad_sequence(xs, True, 7.0)", "R.pad_sequence(xs, True, 7.0, 'left')",
    "R.pad_sequence(xs, padding_side='middle')", "R.pad_sequence(3)", "R.pad_sequence([])",
    "R.pad_sequence(torch.ones(2, 3))",
    "R.unpad_sequence(R.pad_sequence(xs), torch.tensor([2, 3, 1]))",
    "R.unpad_sequence(R.pad_sequence(xs, True), torch.tensor([2, 3, 1]), batch_first=True)",
    "R.pack_padded_sequence(R.pad_sequence(xs), torch.tensor([2, 3, 1]))",
    "R.pack_padded_sequence(R.pad_sequence(xs), [3, 2])", "R.pack_padded_sequence(xs[0], [3, 0])",
    "R.pack_padded_sequence(R.pad_sequence(xs), [2, 0, 1], enforce_sorted=False)",
    "R.pack_padded_sequence(R.pad_sequence(xs), [2.5, 1, 1])", "R.invert_permutation(None)",
    "R.PackedSequence(torch.ones(3), torch.tensor([2, 1]))", "R.PackedSequence(torch.ones(3))",
    "R.PackedSequence([torch.ones(3), torch.tensor([2, 1])])",
]  # fmt: skip


@pytest.mark.parametrize("text", PACKED)
def test_packed_sequences(text):
    def program(torch):
        R = torch.nn.utils.rnn
        xs = [torch.tensor(v) for v in ([1.0, 2.0], [3.0, 4.0, 5.0], [6.0])]
        p = R.pack_sequence(xs, enforce_sorted=False)
        result = eval(text, {"R": R, "p": p, "xs": xs, "torch": torch})
        return (result, repr(result)) if isinstance(result, tuple) else result

    compare(program)
