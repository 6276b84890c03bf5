"""Processes that are started again when one fails: there is one, and nobody starts it."""
