"""The page on which a judge works: served from this machine to this machine."""
