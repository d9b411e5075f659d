"""How much each miner gives on documentation of any kind, and how right what it gives was judged.

Kept apart from measure.py, which prints it.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import hayami
from hayami.audit.intervals import wilson

MINERS = ("table", "question", "problem", "sentence", "title")
NO_CANDIDATE = frozenset(
    {
        hayami.Reason.NO_NEED,
        hayami.Reason.NO_QUESTION,
        hayami.Reason.EXTERNAL_LINK,
        hayami.Reason.BROKEN_LINK,
    }
)
"""Reasons of rows that are no candidates: nobody asks that, or its answer is not in the pages."""
EVERYTHING = hayami.Settings(mine=MINERS)
WIDTH = 24


@dataclass
class Given:
    """What one miner gave on one source."""

    candidates: int = 0
    queries: int = 0
    no_need: int = 0
    flags: Counter[str] = field(default_factory=Counter)


def measured(folder: Path) -> tuple[int, dict[str, Given]]:
    """The pages of a source, and what each miner gave on them with all miners on."""
    given: dict[str, Given] = defaultdict(Given)
    with tempfile.TemporaryDirectory() as out:
        hayami.build([folder], out, EVERYTHING, jobs=2)
        evalset = hayami.load(out)
        for query in evalset.queries():
            one = given[_miner(query.origins[0].detector)]
            one.queries += 1
            one.candidates += 1
            one.flags.update(map(str, query.flags))
        for rejection in evalset.rejections():
            if rejection.detector is None:
                continue
            one = given[_miner(rejection.detector)]
            one.no_need += rejection.reason is hayami.Reason.NO_NEED
            one.candidates += rejection.reason not in NO_CANDIDATE
        return evalset.manifest.counts.articles, given


def _miner(detector: str) -> str:
    return "table" if detector in {"header", "structure"} else str(detector)


def yield_lines(folder: Path) -> Iterator[str]:
    """A line for each source (a folder in ``folder``, or itself) and miner."""
    inside = [one for one in sorted(folder.iterdir()) if one.is_dir()]
    flat = any(one.suffix in {".html", ".htm", ".md"} for one in folder.iterdir())
    for source in [folder] if flat or not inside else inside:
        try:
            pages, given = measured(source)
        except hayami.HayamiError as error:
            yield f"{source.name}: {error}"
            continue
        for miner in MINERS:
            one = given[miner]
            flags = ", ".join(f"{name} {number}" for name, number in one.flags.most_common())
            yield (
                f"{source.name:{WIDTH}} {miner:9} pages {pages:5}  candidates {one.candidates:5}"
                f"  queries {one.queries:5}  a 100 pages {100 * one.candidates / pages:6.1f}"
                f"  no need {one.no_need:4}  {flags}"
            )


def judged_lines(path: Path) -> Iterator[str]:
    """A line for each miner.

    The shares of judged queries with the right place, and usable as well.
    """
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        told[row["kind"]][row["judgement"]] += 1
    for kind, judgements in told.items():
        total = judgements.total()
        yield (
            f"{kind:9} judged {total:3}"
            f"  right place {_share(total - judgements['wrong'], total)}"
            f"  and usable {_share(judgements['right'], total)}"
        )


def _share(hits: int, total: int) -> str:
    bounds = wilson(hits, total)
    return f"{hits / total:.2f} [{bounds.low:.2f}, {bounds.high:.2f}]"
