"""What `gradcheck` and `gradgradcheck` do."""
