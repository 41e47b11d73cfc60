"""Results that only deformable blocks have: vibration modes, one refined block."""
