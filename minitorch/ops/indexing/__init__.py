"""Operators that select elements by positions or masks."""
