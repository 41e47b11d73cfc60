"""Results for compas_dem: its objects, and the file of its block model."""
