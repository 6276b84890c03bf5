"""Loops over raw pointers. They know no tensor."""
