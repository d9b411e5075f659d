"""Bytes of one article -> page -> sections and quick-reference rows.

Knows nothing of matching or of other articles.
"""
