"""What languages say: the words that reading and labelling go by."""
