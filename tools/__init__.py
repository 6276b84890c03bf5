"""What the build runs."""
