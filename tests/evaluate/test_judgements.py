"""The judgements of an eval set."""

from __future__ import annotations

import hayami
from hayami.evaluate.judgements import Judgements


def test_an_eval_set_gives_grades_articles_and_facts(
    judged: Judgements, sample: hayami.Built
) -> None:
    queries = {query.qid: query for query in hayami.load(sample.folder).queries()}
    assert list(judged.qrels) == sorted(queries, key=lambda qid: list(queries).index(qid))
    assert judged.levels == (2, 1)
    assert judged.has_articles
    for qid, query in queries.items():
        assert judged.article_of(qid) == query.article
        assert judged.topic(qid).text == query.query
        assert {doc for doc, grade in judged.qrels[qid].items() if grade == 2} == set(
            query.relevant
        )
    ids = frozenset(str(section.id) for section in hayami.load(sample.folder).sections())
    assert judged.sections == ids
    assert {judged.topic(qid).language for qid in queries} == {"en", "ja", "ko", "zh"}
