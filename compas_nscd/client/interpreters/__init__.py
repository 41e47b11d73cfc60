"""Which Python runs the engine, and the environment that is made for it."""
