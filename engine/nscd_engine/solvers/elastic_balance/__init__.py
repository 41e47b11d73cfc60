"""The balance of deformable bodies at rest, by one of several methods (docs/deformable.md)."""
