"""What a joint carries beyond friction: bonds, springs, caps, cables."""
