"""The parts of `utils.benchmark`, under PyTorch's names: `common`, `timer`, `compare`."""
