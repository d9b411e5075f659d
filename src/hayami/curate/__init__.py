"""A set as its keeper looks at it: what makes it doubtful, what changed in it, and what writers should mend."""
