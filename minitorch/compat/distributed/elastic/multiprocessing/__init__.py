"""The processes of ``torch.distributed.elastic``."""
