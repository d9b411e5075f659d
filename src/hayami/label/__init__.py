"""Rows and headings -> matches -> graded queries. Knows nothing of HTML or of files."""
