"""Parts of other packages that PyTorch vendors."""
