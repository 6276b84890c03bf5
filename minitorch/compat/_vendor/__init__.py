"""What PyTorch brings along of other packages."""
