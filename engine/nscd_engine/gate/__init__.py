"""Everything that came over the wire is checked here, once."""
