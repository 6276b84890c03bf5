"""Where a row differs from PyTorch on purpose or for want of repair.

A difference is (pattern of cases, part of what the test says, reason); a case is called
``row/form/variant: what differs``. test_against_pytorch.py fails for an entry that differs no longer.
"""

KNOWN = []
