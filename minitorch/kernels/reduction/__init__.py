"""Loops that reduce or scan dimensions."""
