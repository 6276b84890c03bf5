"""Watching backward passes and operators: traces, pictures, profiles."""
