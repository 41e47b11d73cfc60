"""What follows from the table of a study: fragility, sensitivity, aims against each other."""
