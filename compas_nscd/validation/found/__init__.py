"""Cases in which an independent check found answers that were wrong."""
