"""uint16 to uint64, complex32 and the types of 8 bits: the operators they have, and the errors of the others."""

import pytest

from tests.both import compare

UNSIGNED = ["uint16", "uint32", "uint64"]
FLOAT8 = ["float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu"]
NEW = [*UNSIGNED, "complex32", *FLOAT8]

BETWEEN = """a + b; a - b; a * b; a / b; a // b; a % b; a ** b; a == b; a != b; a < b; a >= b; a & b; a | b; a ^ b
a << b; a >> b; torch.maximum(a, b); torch.logical_and(a, b); torch.atan2(a, b); torch.gcd(a, b); a.dot(b)
torch.equal(a, b); torch.where(m, a, b); torch.cat([a, b]); torch.stack([a, b])
torch.add(a, b, alpha=2); torch.sub(a, b, alpha=2); a.addcmul(a, b); a.lerp(b, 0.5); torch.outer(a, b)
a[0] * b; a * b[0]; a.float() * b; a.to(torch.int32) * b; a * torch.tensor(2); a.mul_(b); a.eq_(b)"""
ALONE = """~a; -a; abs(a); a * 2; 2 * a; a * -1; a * 2.5; a + 1; 2 - a; a / 2; a == 1; a != 2; a == 2**40; a & 1; a | 2
a ^ -1; a * 1j; a.sum(); a.sum(dtype=torch.int64); a.prod(); a.mean(); a.max(); a.amin(); a.argmax(); a.all(); a.any()
a.nansum(); a.var(); a.norm(); a.cumsum(0); a.cummax(0); a.sort(); a.sort(descending=True); a.argsort(); a.unique()
a.topk(1); a.kthvalue(1); a.median(); a.mode(); a.sqrt(); a.exp(); a.square(); a.sign(); a.sgn(); a.positive()
a.floor(); a.round(); a.trunc(); a.signbit(); a.isnan(); a.isinf(); a.isfinite(); a.isreal(); a.real; a.conj()
a.angle(); a.nan_to_num(); a.reciprocal(); a.bool(); a.logical_not(); a.clamp(0, 3); torch.nn.functional.relu(a)
a.repeat(2); a.repeat_interleave(2); a.roll(1); a.flip(0); torch.diag(a); a.expand(2, 4); a.unsqueeze(0).t()
a.view(torch.uint8); a.contiguous(); a.clone(); a.fill_(3); a.zero_(); a.trace(); torch.tril(a.reshape(2, 2))
torch.bincount(a); torch.histc(a); torch.searchsorted(a, a); a.count_nonzero(); a.nonzero()
a.uniform_(); a.normal_(); a.bernoulli(); torch.softmax(a, 0); a.softmax(0, dtype=torch.float32)
torch.nn.functional.pad(a, (1, 1), value=2.0); torch.nn.functional.pixel_shuffle(a.reshape(1, 4, 1, 1), 2); a.diff()"""
INDEXING = """a[m]; a[i]; a[1:]; a[None]; a[..., 0]; a.index_select(0, i); a.take(i); a.masked_select(m)
a.masked_fill(m, 1); a.masked_scatter(m, a); a.scatter(0, i, a); a.scatter(0, i, 1); a.scatter_add(0, i, a)
a.scatter_reduce(0, i, a, 'amax'); a.index_fill(0, i, 1); a.index_copy(0, i, a[:2]); a.index_add(0, i, a[:2])
a.index_put((i,), a[:2]); a.index_put((i,), a[:2], accumulate=True); a.put(i, a[:2]); a.unfold(0, 2, 1)
torch.arange(5)[a]; a.__setitem__(slice(1, 3), 7); a.__setitem__(0, 7); a.__setitem__(m, 7); a.__setitem__(i, 7)
a.__setitem__(m, a[:2]); torch.nn.functional.embedding(i, a.reshape(2, 2)[:, :1])"""


def attempts(text, name):
    """What each expression gives, with `a` afterwards; exceptions by type and first line."""
    expressions = [e.strip() for line in text.splitlines() for e in line.split(";")]

    def program(torch):
        d = getattr(torch, name)
        outcomes = []
        for expression in expressions:
            names = {
                "torch": torch,
                "a": torch.tensor([4.0, 1.0, 2.0, 1.0]).to(d),
                "b": torch.tensor([2.0, 1.0, 4.0, 8.0]).to(d),
                "m": torch.tensor([True, False, True, False]),
                "i": torch.tensor([1, 1]),
            }
            torch.manual_seed(0)
            try:
                outcome = eval(expression, names)
                outcome = outcome if not isinstance(outcome, tuple) else tuple(outcome)
            except Exception as error:
                outcome = type(error).__name__, str(error).splitlines()[0]
            outcomes.append((expression, outcome, names["a"]))
        return outcomes

    return program


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("text", [BETWEEN, ALONE, INDEXING], ids=["between", "alone", "indexing"])
def test_operators(name, text):
    compare(attempts(text, name), tolerance=1e-3 if name == "complex32" else 1e-6)


@pytest.mark.parametrize("name", UNSIGNED)
def test_order_beyond_the_sign_bit(name):
    def program(torch):
        d = getattr(torch, name)
        top = torch.iinfo(d).max
        a = torch.tensor([top, 0, top // 2, top // 2 + 1, 5, top], dtype=d)
        values, indices = torch.empty(0, dtype=d), torch.empty(0, dtype=torch.int64)
        torch.sort(a, out=(values, indices))
        return (
            tuple(a.sort()),
            tuple(a.reshape(2, 3).sort(0, descending=True, stable=True)),
            (values, indices),
            a.unique(return_inverse=True, return_counts=True),
            a.reshape(3, 2).unique(dim=0),
            torch.unique_consecutive(a),
            (torch.isclose(a, a), a == a),
            (a * a, a * 3, a ^ 1, a.float(), a.double(), a.sum(), a == a[0], a != top),
        )

    compare(program)


def test_many_elements():
    # blocks of 512 elements and what is left over, contiguous and not
    def program(torch):
        a = torch.arange(-3000, 3000)
        halves = (a / 7).to(torch.complex32)
        return (
            a.to(torch.uint16)[::3].double(),
            a.to(torch.uint64).float(),
            (a / 7).to(torch.float8_e5m2)[::2].half(),
            halves[::2] + halves[1::2],
            halves.abs(),
            (halves * 1j)[5::7],
        )

    compare(program, tolerance=1e-3)
