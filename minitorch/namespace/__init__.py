"""Registration of names in the public namespace, and stand-ins for unsupported names."""
