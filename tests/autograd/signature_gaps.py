"""Where the interface differs from PyTorch's, and why; `test_signatures.py` holds the list to the truth."""

GAPS = {}
