"""Human judgement in, label quality out: rows are drawn, judged, scored, their verdicts kept."""
