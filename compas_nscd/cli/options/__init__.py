"""Options and outputs that several commands share."""
