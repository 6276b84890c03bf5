"""Operators that reduce or scan dimensions."""
