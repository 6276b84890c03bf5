"""Passes, and those who run them one after the other."""
