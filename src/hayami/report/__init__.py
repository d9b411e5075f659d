"""How results are shown: the one kit of all reports."""
