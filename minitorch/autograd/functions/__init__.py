"""The recorded operators: generated from derivatives.toml, and what is written by hand."""
