"""The parts of `torch.save` and `torch.load`: archives, formats, names, locations."""
