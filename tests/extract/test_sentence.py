"""Sentences that say where a need is met, in four languages."""

from __future__ import annotations

import pytest

from extract.mining import corpus, mined, targets

PAGE = """<title>x</title><h1>x</h1><h2>Use</h2><p>Before. {0} After all.</p>
<h2 id="l">Section of the matter</h2><p>Text of the matter.</p>"""
LINK = "<a href='#l'>Section 2</a>"

SENTENCES = [
    ("For more information about stopping the server, see {0}.", "stopping the server"),
    ("See {0} for details on how to set the replica identity.", "how to set the replica identity"),
    ("To learn how to rotate old log files, refer to {0}.", "how to rotate old log files"),
    ("If you want to restore a backup, see the section {0} below.", "restore a backup"),
    ("Preparing files for net booting is described in {0}.", "Preparing files for net booting"),
    ("Information about event triggers can be found in {0}.", "event triggers"),
    ("(For hidden files, see {0}.)", "hidden files"),
    ("アクセス制御については「{0}」をご覧ください。", "アクセス制御"),
    ("変更履歴の書き方の詳細は、{0}を参照してください。", "変更履歴の書き方"),
    ("隠しファイルを表示するには、{0}を参照してください。", "隠しファイルを表示するには"),
    ("색상 채널 조정에 대한 자세한 내용은 {0} 섹션을 참고하십시오.", "색상 채널 조정"),
    ("부팅 파라미터를 추가하는 방법은 {0} 부분을 참고하십시오.", "부팅 파라미터를 추가하는 방법"),
    ("인증서를 갱신하려면 {0}을 참조하세요.", None),
    ("关于修订号如何增长，请参见 {0}。", "修订号如何增长"),
    ("有关导入数据的更多信息，请参阅{0}。", "导入数据"),
    ("如需向生产集群导入数据，请参考{0}。", "向生产集群导入数据"),
]


@pytest.mark.parametrize(("form", "need"), SENTENCES)
def test_forms(form: str, need: str | None) -> None:
    found = mined(PAGE.format(form.format(LINK)), "sentence")
    if need is None:
        need = "인증서를 갱신하려면"
    assert targets(found) == {need: "Section of the matter"}
    assert need not in corpus(found)
    assert "Before." in corpus(found)
    assert "After all." in corpus(found)


@pytest.mark.parametrize(
    "form",
    [
        "For more information, see {0}.",
        "See {0} for details.",
        "詳細については、{0}を参照してください。",
        "자세한 내용은 {0}을 참조하십시오.",
        "更多信息，请参阅{0}。",
        "The limit is fixed; see {0}.",
        "We like {0} very much.",
    ],
)
def test_sentences_that_name_no_need(form: str) -> None:
    found = mined(PAGE.format(form.format(LINK)), "sentence")
    assert not found.rows
    assert "Section 2" in corpus(found)


@pytest.mark.parametrize(
    "form",
    [
        "For more information about these limits of a server, see {0}.",
        "For details about Section 2, see {0}.",
        "この機能の使い方については、{0}を参照してください。",
    ],
)
def test_needs_that_do_not_stand_alone_are_counted_and_stay(form: str) -> None:
    found = mined(PAGE.format(form.format(LINK)), "sentence")
    assert set(targets(found).values()) == {"no_need"}
    assert "Section 2" in corpus(found)
