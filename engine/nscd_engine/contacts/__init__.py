"""Contact detection at rest and in motion."""
