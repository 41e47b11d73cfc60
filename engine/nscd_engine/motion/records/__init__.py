"""What is written of a motion: frames, the record on the disk, its recovery, checkpoints."""
