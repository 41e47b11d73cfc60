"""What Newton's method on the primal problem is made of, beside its system."""
