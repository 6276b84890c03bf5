"""Loops that order elements, find distinct ones and assign them to bins."""
