"""Text: folded, numbered, compared."""
