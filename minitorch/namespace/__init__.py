"""How names get into the public namespace, and what stands for those that are missing."""
