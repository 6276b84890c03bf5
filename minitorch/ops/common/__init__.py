"""Code that operators of every kind use: checks, copies, numbers, ``out=`` tensors."""
