"""Operators that are composed of others in Python."""
