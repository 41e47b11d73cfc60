"""The commands of `nscd`, one module each."""
