"""Loops that fill new memory."""
