"""Elastic launching of processes, which is absent except for error files."""
