"""How an eval set is made: the one place that composes reading and labelling."""
