"""An evaluation as one JSON document."""

from __future__ import annotations

from dataclasses import asdict

from hayami.evaluate.evaluation import Block, Evaluation, RunReport
from hayami.evaluate.measures import Family
from hayami.evaluate.plain import block_title
from hayami.evaluate.policies import POLICIES


def as_document(evaluation: Evaluation) -> dict[str, object]:
    """The evaluation as values that JSON has: no NaN, null for what is not defined.

    Queries are in ``--per-query``.
    """
    return {
        "judgements": evaluation.judgements.name,
        "judgements_sha256": evaluation.judgements.sha256,
        "queries": len(evaluation.judgements.qrels),
        "articles": evaluation.articles,
        "levels": list(evaluation.levels),
        "policies": list(POLICIES),
        "blocks": {str(block): block_title(block, evaluation) for block in Block},
        "runs": [_run(report) for report in evaluation.runs],
    }


def _run(report: RunReport) -> dict[str, object]:
    facts = report.facts
    return {
        "run": report.run,
        "path": report.path,
        "evaluated": facts.queries - len(facts.no_relevant),
        "excluded": list(facts.no_relevant),
        "pooled_recall": {f.measure: f.pooled for f in report.figures if f.family is Family.RECALL},
        "stale": report.stale,
        "warnings": list(report.warnings),
        "facts": asdict(facts),
        "figures": [asdict(figure) for figure in report.figures],
        "curve": [asdict(point) for point in report.curve],
        "ranks": dict(report.ranks),
        "breakdown": [asdict(part) for part in report.breakdown],
    }
