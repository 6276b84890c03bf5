"""What is done to graphs."""
