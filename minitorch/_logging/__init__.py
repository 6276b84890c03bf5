"""What PyTorch tells its makers about itself: nothing is told."""
