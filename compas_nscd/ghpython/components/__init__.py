"""What the components compute, one module a group of the ribbon."""
