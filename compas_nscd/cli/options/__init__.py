"""Options, files and printed lines that several commands share."""
