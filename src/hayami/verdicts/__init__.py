"""What humans said about labels, and what it does."""
