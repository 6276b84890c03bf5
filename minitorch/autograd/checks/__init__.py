"""Implementation of `gradcheck` and `gradgradcheck`."""
