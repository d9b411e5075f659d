"""The eval set on disk, and nothing about how it is made."""
