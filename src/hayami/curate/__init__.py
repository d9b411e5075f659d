"""A set as its keeper looks at it: what is doubtful, what changed, what writers should mend."""
