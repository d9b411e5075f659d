"""An eval set in the formats of other tools: one module a format behind one registry."""
