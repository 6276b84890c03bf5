"""The layers of nn, one topic per file."""
