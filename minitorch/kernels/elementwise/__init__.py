"""Loops that compute each element on its own, and the tables that list them."""
