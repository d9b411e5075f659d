"""Problems with exactly one solution."""

from __future__ import annotations

import pytest

from extract.mining import corpus, mined, targets

DO = "<p>Restart the machine and set the clock by hand.</p>"
PAGE = f"""<title>MDVA-12: Saving an order fails | Shop</title><h1>MDVA-12: Saving an order fails</h1>
<h2>Issue</h2><p>An order is not saved.</p><h2>Cause</h2><p>The clock.</p><h2>Solution</h2>{DO}"""  # noqa: E501


def test_the_title_is_the_need_and_is_masked() -> None:
    found = mined(PAGE, "problem")
    assert targets(found) == {"Saving an order fails": "Solution"}
    assert all(section.masked for section in found.sections)
    assert "Saving an order fails" not in corpus(found)


@pytest.mark.parametrize(
    ("problem", "solution"),
    [
        ("問題", "解決策：時計の設定"),
        ("症状", "対処方法"),
        ("증상", "해결 방법"),
        ("问题描述", "解决方案"),
        ("1. Symptoms", "2. Workaround"),
    ],
)
def test_words_for_problem_and_solution(problem: str, solution: str) -> None:
    page = PAGE.replace("Issue", problem).replace("Solution", solution)
    assert targets(mined(page, "problem")) == {"Saving an order fails": solution}


@pytest.mark.parametrize(
    "html",
    [
        PAGE.replace("<h2>Cause</h2>", "<h2>Fix</h2>"),
        PAGE.replace("Solution", "Solution 1"),
        PAGE.replace("Issue", "Overview").replace("Cause", "Use"),
        PAGE.replace(DO, ""),
    ],
)
def test_several_solutions_or_none_are_no_pair(html: str) -> None:
    assert not mined(html, "problem").rows


def test_a_section_inside_a_longer_page_is_cut_at_its_symptom() -> None:
    page = f"""<title>x</title><h1>x</h1><h2>Trouble</h2><p>Some.</p>
    <h3>The remote machine does not start</h3><h4>Symptoms</h4><p>Dark.</p><h4>Resolution</h4>{DO}
    <h3>Another</h3><p>Text.</p>"""
    found = mined(page, "problem")
    assert targets(found) == {
        "The remote machine does not start": "The remote machine does not start"
    }
    assert "does not start" not in corpus(found)


def test_lines_of_bold_text_do_as_headings() -> None:
    page = f"""<title>x</title><h1>x</h1><h2>A profile cannot be installed</h2>
    <p><b>Cause:</b></p><p>The clock.</p><p><b>Resolution</b></p>{DO}<h2>y</h2><p>z</p>"""
    assert targets(mined(page, "problem")) == {
        "A profile cannot be installed": "A profile cannot be installed"
    }
