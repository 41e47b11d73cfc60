"""What templates are made of: shapes, rings, courses, bounds of parameters."""
