"""Loops that draw random numbers."""
