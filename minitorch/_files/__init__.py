"""Implementation of `torch.save` and `torch.load`: archives, formats, names and locations."""
