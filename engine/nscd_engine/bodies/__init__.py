"""Mass and kinematics of blocks."""
