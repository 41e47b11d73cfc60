"""Functions of the components, one module for each group of the ribbon."""
