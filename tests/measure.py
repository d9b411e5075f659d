"""How right the labels are, against rows that people judged. Not collected by pytest.

    python tests/measure.py sample                      data/articles against labels/gold.jsonl
    python tests/measure.py field FOLDER ROWS.jsonl     a folder of other pages against rows judged
    on them
    python tests/measure.py yield FOLDER                what each miner gives on the sources in a folder
    python tests/measure.py yield-judged                how right labels/yield.jsonl judged that
    python tests/measure.py house                       how the source is written, beside models

A row is *given* if it has a target, or is rejected as `whole_article` where the judge named whole
pages. Precision is over given rows, recall over the rows for which the judge named something. A row
counts as right only if its set of sections is the judge's set: one missing or one too many is
wrong. Rows are measured one by one (`duplicates = keep`).
"""  # noqa: E501

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import hayami
from hayami.text.fold import compact
from house import house_table
from yields import judged_lines, yield_lines

HERE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Judged:
    """One judged row.

    The sections (article id, folded heading) and the whole articles that are meant, if any.
    """

    place: tuple[str, int, int]
    reference: str
    sections: frozenset[tuple[str, str]]
    articles: frozenset[str]
    form: str


def sample_rows(path: Path) -> list[Judged]:
    """The rows of labels/gold.jsonl."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sections = frozenset((t["article"], compact(t["heading"])) for t in row["targets"])
        rows.append(
            Judged(
                (row["path"], row["table"], row["row"]),
                row["reference"],
                sections,
                frozenset(),
                row["form"],
            )
        )
    return rows


def field_rows(path: Path, articles: dict[str, str], folder: str) -> list[Judged]:
    """Rows judged on other pages; their files are relative to the folder that holds ``folder``."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        pages, units, named = (
            _listed(row[key]) for key in ("target_page", "target_h2", "target_heading")
        )
        several = max(len(pages), len(units), len(named))
        pages, units, named = (
            values * several if len(values) == 1 else values for values in (pages, units, named)
        )
        meant = [
            (articles.get(page.removeprefix(f"{folder}/"), page), unit)
            for page, unit in zip(pages, units, strict=True)
            if page is not None
        ]
        sections = frozenset(
            (article, compact(unit.removesuffix("[src]"))) for article, unit in meant if unit
        )
        whole = frozenset(article for article, unit in meant if not unit)
        place = (row["file"].removeprefix(f"{folder}/"), row["table_index"], row["row_index"])
        rows.append(Judged(place, row["ref_text"], sections, whole, row["kind"]))
    return rows


def _listed(value: str | list[str | None] | None) -> list[str | None]:
    return value if isinstance(value, list) else [value]


@dataclass
class Score:
    """Counts over judged rows."""

    right: int = 0
    wrong: int = 0
    meant: int = 0
    loose: int = 0
    """Rows that mean nothing and were given a target by rule `contains` or `fuzzy`."""


def score(evalset: hayami.EvalSet, judged: list[Judged]) -> Score:
    """Compares an eval set with judged rows, and prints each row that differs."""
    headings = {section.id: compact(section.heading) for section in evalset.sections()}
    queries = {
        (o.path, o.table, o.row): query for query in evalset.queries() for o in query.origins
    }
    rejected = {(r.path, r.table, r.row): r for r in evalset.rejections()}
    total, missed = Score(), Counter[str]()
    for row in judged:
        total.meant += bool(row.sections or row.articles)
        query, rejection = queries.get(row.place), rejected.get(row.place)
        if query is not None:
            found = frozenset(
                (t.section.rpartition("#")[0], headings[t.section]) for t in query.targets
            )
            only_pages = (
                not row.sections
                and bool(row.articles)
                and {article for article, _ in found} == row.articles
            )
            right = (found == row.sections and bool(found)) or only_pages
            loose = any(
                t.match in {hayami.Match.CONTAINS, hayami.Match.FUZZY} for t in query.targets
            )
            total.loose += loose and not row.sections and not row.articles
            told = ", ".join(f"{t.section} by {t.match}" for t in query.targets)
        elif (
            rejection is not None
            and rejection.reason is hayami.Reason.WHOLE_ARTICLE
            and row.articles
        ):
            right = (
                row.articles <= {c.article for c in rejection.candidates if c.section is None}
                and not row.sections
            )
            told = ", ".join(c.article for c in rejection.candidates)
        else:
            if row.sections or row.articles:
                why = rejection.reason if rejection is not None else "not mined"
                missed[why] += 1
                print(f"missed ({why}): {row.place}: {row.reference[:60]}")
            continue
        total.right += right
        total.wrong += not right
        if not right:
            print(f"wrong: {row.place}: {row.reference[:60]}: {told}")
    given = total.right + total.wrong
    print(f"\nrows judged {len(judged)}, meaning something {total.meant}, given {given}")
    print(f"right {total.right}, wrong {total.wrong}, missed {dict(missed)}")
    print(f"precision {total.right / max(1, total.right + total.wrong):.3f}")
    print(f"recall {total.right / max(1, total.meant):.3f}")
    print(f"rows that mean nothing but were given a target by contains or fuzzy: {total.loose}")
    return total


def main() -> int:
    """Runs one of the measures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("sample")
    commands.add_parser("house")
    field = commands.add_parser("field")
    field.add_argument("folder", type=Path)
    field.add_argument("rows", type=Path)
    commands.add_parser("yield").add_argument("folder", type=Path)
    commands.add_parser("yield-judged")
    given = parser.parse_args()
    if given.command == "yield":
        for line in yield_lines(given.folder):
            print(line, flush=True)
        return 0
    if given.command == "yield-judged":
        print("\n".join(judged_lines(HERE / "labels/yield.jsonl")))
        return 0
    if given.command == "house":
        print("\n".join(house_table(Path(hayami.__file__).parent)))
        return 0
    with tempfile.TemporaryDirectory() as out:
        if given.command == "sample":
            hayami.build(
                [HERE / "data/articles"], out, hayami.Settings(duplicates=hayami.Duplicates.KEEP)
            )
            evalset = hayami.load(out)
            score(evalset, sample_rows(HERE / "labels/gold.jsonl"))
        else:
            settings = hayami.Settings(detect=hayami.Detect.BOTH, duplicates=hayami.Duplicates.KEEP)
            hayami.build([given.folder], out, settings, jobs=2)
            evalset = hayami.load(out)
            articles = {article.path: article.id for article in evalset.articles()}
            score(evalset, field_rows(given.rows, articles, given.folder.resolve().name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
