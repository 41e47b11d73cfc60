"""Parts of templates: shapes, rings, courses, bounds of parameters."""
