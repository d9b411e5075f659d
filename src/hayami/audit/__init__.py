"""Human judgement in, label quality out: rows are drawn into sheets, judged, scored, and their verdicts kept."""
