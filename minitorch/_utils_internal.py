"""Where PyTorch's makers put what differs inside their company; here it is what everybody has."""

import os
import tempfile

__all__ = ["get_writable_path"]


def get_writable_path(path):
    """The path if it can be written to, else a new folder."""
    return path if os.access(path, os.W_OK) else tempfile.mkdtemp(suffix=os.path.basename(path))
