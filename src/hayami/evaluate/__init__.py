"""Measures search with an eval set, and says only what the numbers can bear."""
