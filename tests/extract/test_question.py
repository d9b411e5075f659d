"""Questions with their answers under them, in every form that pages write them."""

from __future__ import annotations

import pytest

from extract.mining import corpus, mined, targets

ANSWER = "It is done with the tool that came with the machine, in the menu of the settings."
FAQ = f"""<title>Care</title><h1>Care</h1><h2>Overview</h2><p>All about it.</p>
<h2>FAQ</h2><p>Contents</p><ul><li><a href="#a">1.1 How do I clean a machine?</a></ul>
<h3 id="a">1.1 How do I clean a machine?</h3><p>{ANSWER}</p>
<h3>What's next?</h3><p>{ANSWER}</p>
<h3>1.2 Prices of machines</h3><p>{ANSWER}</p>"""


def lines(form: str, *questions: str) -> str:
    told = "".join(form.format(q=question, a=ANSWER) for question in questions)
    return f"<title>Care</title><h1>Care</h1><h2>Overview</h2><p>All.</p><h2>More</h2>{told}"


QUESTIONS = (
    "How do I clean a machine?",
    "Where are machines sold?",
    "Can a machine be mended?",
)


def test_a_heading_is_a_section_of_its_own_under_an_excluded_one() -> None:
    found = mined(FAQ, "question")
    assert targets(found) == {
        "How do I clean a machine?": "1.1 How do I clean a machine?",
        "What's next?": "no_need",
    }
    assert found.outline.excluded
    (masked,) = (section for section in found.sections if section.masked)
    assert masked.text == ANSWER


def test_a_question_leaves_the_text_wherever_it_stands_with_any_number() -> None:
    twice = FAQ.replace(
        "All about it.", "3.1 How do I clean a machine?<br>See How do I clean a machine? here"
    )
    text = corpus(mined(twice, "question"))
    assert "clean a machine" not in text
    assert "See here" in " ".join(text.split())


@pytest.mark.parametrize(
    "form",
    [
        "<h3>{q}</h3><p>{a}</p>",
        "<dl><dt>{q}<dd>{a}</dl>",
        "<details><summary>{q}</summary>{a}</details>",
        "<p><strong>{q}</strong></p><p>{a}</p>",
        "<p>Q: {q}</p><p>A: {a}</p>",
        "<p><b>(8) {q}</b></p><blockquote>{a}</blockquote>",
        "<table><tr><td><p>Q:</p></td><td><p>{q}</p></td></tr><tr><td></td><td><p>{a}</p></td></tr></table>",
        "<table><tr><td><p>3.1.</p></td><td><p>{q}</p></td></tr><tr><td></td><td><p>{a}</p></td></tr></table>",
    ],
)
def test_forms_of_questions(form: str) -> None:
    found = mined(lines(form, *QUESTIONS), "question")
    assert set(targets(found)) == set(QUESTIONS)
    texts = {row.question: row.target for row in found.rows}
    sections = {section.ordinal: section for section in found.sections}
    for question in QUESTIONS:
        ordinal = texts[question]
        assert ordinal is not None
        assert ANSWER in sections[ordinal].text
        assert sections[ordinal].masked
    assert not any(question in corpus(found) for question in QUESTIONS)


def test_two_lines_are_no_list_of_questions_but_under_a_heading_that_says_so() -> None:
    form = "<dl><dt>{q}<dd>{a}</dl>"
    few = lines(form, *QUESTIONS[:2])
    assert not mined(few, "question").rows
    assert (
        len(mined(few.replace("<h2>More", "<h2>Frequently asked questions"), "question").rows) == 2
    )


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt>--path ?<dd>{a}<dt>spi_exec ?-count n?<dd>{a}<dt>*?<dd>{a}</dl>",
        "<ul><li><a href='#x'>How do I clean a machine?</a><li><a href='#y'>Where is it sold today?</a>"  # noqa: E501, ISC004
        "<li><a href='#z'>Can a machine be mended?</a></ul>",
        "<dl><dt><a href='#x'>How do I clean a machine?</a><dt><a href='#y'>Where are machines sold?</a>"  # noqa: E501, ISC004
        "<dt><a href='#z'>Can a machine be mended?</a></dl><p>{a}</p>",
        "<h3>How do I clean a machine?</h3><p>See <a href='#x'>the chapter on care</a>.</p>",
        "<h3>How do I clean a machine?</h3><h3>Where are machines sold?</h3>",
    ],
)
def test_what_looks_like_questions_gives_no_query(html: str) -> None:
    page = f"<title>x</title><h1>x</h1><h2>y</h2><p>Text.</p>{html.format(a=ANSWER)}"
    assert set(targets(mined(page, "question")).values()) <= {"no_need"}


def test_among_questions_a_statement_is_a_problem_told() -> None:
    told = lines("<h3>{q}</h3><p>{a}</p>", *QUESTIONS, "Some machines don't appear in the list.")
    assert len(mined(told, "question").rows) == 3
    page = told.replace("<h1>Care", "<h1>Machine FAQ")
    assert "Some machines don't appear in the list." in targets(mined(page, "question"))


def test_headings_of_the_first_level_are_questions_if_there_are_several() -> None:
    told = "".join(f"<h1>{q}</h1><p>{ANSWER}</p>" for q in QUESTIONS)
    found = mined(f"<title>Machine FAQ</title>{told}", "question")
    assert targets(found) == dict(zip(QUESTIONS, QUESTIONS, strict=True))


def test_a_list_of_changes_holds_no_need() -> None:
    assert not mined(FAQ.replace("<title>Care", "<title>Release notes"), "question").rows


STRUCTURED = """<title>x</title><script type="application/ld+json">
{"@context":"https://schema.org","@graph":[{"@type":["WebPage","FAQPage"],"mainEntity":[
 {"@type":"Question","name":"Can a machine be given back?","acceptedAnswer":{"@type":"Answer",
  "text":"<p>Within two weeks. See <a href=\\"#back\\">Returns</a>.</p>"}},
 {"@type":"Question","name":"How long is the warranty?","acceptedAnswer":[{"@type":"Answer",
  "text":"Two years from the day on which it was sold."}]},
 {"@type":"Question","name":"Can I call the people?","acceptedAnswer":{"@type":"Answer","text":"No."}}]}]}
</script><script type="application/ld+json">{"broken": </script>
<h1>x</h1><h2 id="back">Returns</h2><p>Send it back.</p>
<h2>Law</h2><p>Two years from the day on which it was sold.</p>"""  # noqa: E501


def test_structured_data_leads_where_its_link_leads_or_its_answer_stands() -> None:
    found = mined(STRUCTURED, "question")
    assert targets(found) == {
        "Can a machine be given back?": "Returns",
        "How long is the warranty?": "Law",
        "Can I call the people?": "no_reference",
    }
    assert found.rows[0].answer == "Within two weeks. See Returns."


def test_microdata_is_read_once_with_what_is_visible() -> None:
    item = (
        "<div itemprop=mainEntity itemscope itemtype='https://schema.org/Question'>"
        "<h3 itemprop=name>How do I clean a machine?</h3>"
        "<div itemprop=acceptedAnswer itemscope itemtype='https://schema.org/Answer'>"
        f"<p itemprop=text>{ANSWER}</p></div></div>"
    )
    page = f"<title>x</title><h1>x</h1><h2>Care</h2><p>Text.</p>{item}"
    assert targets(mined(page, "question")) == {
        "How do I clean a machine?": "How do I clean a machine?"
    }
    plain = page.replace("<h3", "<p").replace("</h3>", "</p>")
    assert targets(mined(plain, "question")) == {
        "How do I clean a machine?": "How do I clean a machine?"
    }
