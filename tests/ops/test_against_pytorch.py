"""Every row of derivatives/ beside its counterpart in PyTorch: values, geometry, gradients, errors.

Each sample is run as it is, in other layouts, sizes and dtypes, in place, with ``out=``, and with bad
arguments; what both sides give, exceptions included, must be equal. Known differences are listed in
known_differences.py.
"""

import fnmatch

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.autograd.samples import ROWS, SAMPLES  # noqa: E402
from tests.ops.differential import COUNTERPARTS, differences, forms, variants  # noqa: E402
from tests.ops.known_differences import KNOWN, SOMETIMES  # noqa: E402

torch.set_num_threads(1)


def known(difference):
    """The entry of known_differences.py that a difference belongs to."""
    case = difference.split("\n")[0]
    for entry in [*KNOWN, *SOMETIMES]:
        if fnmatch.fnmatchcase(case, entry[0]) and entry[1] in difference:
            return entry
    return None


@pytest.fixture(scope="module")
def met():
    """The entries that were needed, over all rows."""
    return set()


@pytest.mark.parametrize("name", [name for name in ROWS if name in SAMPLES])
def test_a_row_does_what_pytorch_does(name, met):
    found = []
    for form, ours, theirs in forms(ROWS[name]):
        for case, sample in variants(ROWS[name], form):
            label = f"{name}/{form}/{case}"
            for difference in differences(label, form, ours, theirs, sample):
                entry = known(difference)
                if entry is None:
                    found.append(difference)
                else:
                    met.add(entry)
    assert not found, f"{len(found)} differences\n" + "\n".join(found[:20])


def test_what_is_known_to_differ_does(met, request):
    if len(request.session.items) < len(ROWS):
        pytest.skip("wants all rows to have run")
    gone = set(KNOWN) - met
    assert not gone, "differ no longer: take them out of known_differences.py"


def test_a_row_has_a_counterpart_or_a_reason():
    for name, row in ROWS.items():
        assert list(forms(row)) or COUNTERPARTS.get(name, "") is None, name
