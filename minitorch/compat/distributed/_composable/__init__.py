"""Deprecated names of the composable APIs."""
