"""Mass properties and kinematics of blocks."""
