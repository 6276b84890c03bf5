"""Scripts that the build runs."""
