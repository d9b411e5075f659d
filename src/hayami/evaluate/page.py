"""An evaluation as one page that stands alone: tables, pictures and the rules, readable without colour."""

from __future__ import annotations

from importlib import resources
from typing import Final

import jinja2
from markupsafe import Markup

from hayami.evaluate import pictures, plain
from hayami.evaluate.evaluation import Block, Evaluation, RunReport
from hayami.evaluate.measures import FAMILY_MEANINGS, Family, Measure
from hayami.evaluate.policies import POLICIES

TEMPLATE: Final = "evaluation.html"
"""The template beside this module."""
HEADS: Final = {Family.SUCCESS: 2, Family.RECALL: 1, Family.RR: 1}
"""How many figures of each family are shown large for a run; where there are none, the first of the others."""
_TABLE: Final = """<div class="wide"><table{{ ' class="two"' if two else '' }}>
<thead><tr>{% for cell in table[0] %}<th>{{ cell }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in table[1:] %}
<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>{% endfor %}
</tbody></table></div>"""


def as_page(evaluation: Evaluation, measures: tuple[Measure, ...], *, version: str) -> str:
    """The evaluation as HTML with everything in it; the same bytes for the same figures.

    Args:
        evaluation: what was measured.
        measures: the measures, to say what they mean.
        version: of hayami.
    """
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined
    )
    text = resources.files("hayami.evaluate").joinpath(TEMPLATE).read_text(encoding="utf-8")
    table = _Tables(environment)
    several = len(evaluation.runs) > 1
    pooled = plain.pooled_table(evaluation)
    page = environment.from_string(text).render(
        title=f"Search measured: {', '.join(report.run for report in evaluation.runs)}",
        heading=plain.heading(evaluation),
        drawn=plain.drawn_line(evaluation),
        reports=[
            {"name": report.run, "path": report.path, "heads": _heads(report)}
            for report in evaluation.runs
        ],
        warned=[(report.run, line) for report in evaluation.runs for line in report.warnings],
        blocks=[
            {"title": plain.block_title(block, evaluation), "table": table.html(found, two=several)}
            for block in Block
            if len(found := plain.figure_table(evaluation, block)) > 1
        ],
        share_note=any(f.siblings_share for report in evaluation.runs for f in report.figures),
        # The pictures are made here, and matplotlib escapes the names in them.
        intervals=Markup(pictures.interval_picture(evaluation)),  # noqa: S704
        curve=Markup(pictures.curve_picture(evaluation)),  # noqa: S704
        ranks=Markup(pictures.rank_picture(evaluation)),  # noqa: S704
        curve_table=table.html(plain.curve_table(evaluation)),
        rank_table=table.html(plain.rank_table(evaluation)),
        pooled_table=table.html(pooled, two=several) if plain.pooled_differs(pooled) else "",
        breakdowns=[
            (r.run, table.html(plain.breakdown_table(r), two=True))
            for r in evaluation.runs
            if r.breakdown
        ],
        policies=POLICIES,
        meanings=[
            (family, FAMILY_MEANINGS[family])
            for family in dict.fromkeys(m.family for m in measures)
        ],
        version=version,
    )
    return page + "\n"


class _Tables:
    """Turns tables of cells into HTML."""

    def __init__(self, environment: jinja2.Environment) -> None:
        self._template = environment.from_string(_TABLE)

    def html(self, table: plain.Table, *, two: bool = False) -> Markup:
        """The table; ``two`` sets its second column to the left too."""
        return Markup(self._template.render(table=table, two=two))  # noqa: S704 - the template escapes the cells


def _heads(report: RunReport) -> list[dict[str, str]]:
    """The figures of a run that are shown large: how often, how much and how far up, before the others."""
    first = [
        f
        for family, most in HEADS.items()
        for f in [f for f in report.figures if f.family is family][:most]
    ]
    shown = list(dict.fromkeys([*first, *report.figures]))[: sum(HEADS.values())]
    return [
        {
            "measure": f.measure,
            "mean": plain.number(f.mean, 3),
            "span": plain.span(f.by_article or f.by_query),
        }
        for f in sorted(shown, key=report.figures.index)
    ]
