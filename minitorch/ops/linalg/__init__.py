"""Operators of linear algebra, and Fourier transforms."""
