"""Operators composed of other operators in Python."""
