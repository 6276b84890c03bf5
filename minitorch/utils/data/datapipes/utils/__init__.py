"""What elements are made of."""
