"""Operators that change the shape or the order of elements: views, joins, rearrangements."""
