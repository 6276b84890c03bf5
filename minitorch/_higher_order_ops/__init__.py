"""Operators that take functions, for the compiler: programs compare with them, and none is here."""
