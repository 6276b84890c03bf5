"""Implementation of `autograd.functional`."""
