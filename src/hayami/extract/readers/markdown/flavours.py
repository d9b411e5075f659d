"""Markdown to HTML.

CommonMark, and what writers of GitHub, MkDocs, Docusaurus, VitePress, Hugo and Jekyll add to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from hayami.extract.readers.markdown.slugs import heading_ids

_NESTING: Final = 100
"""Levels of blocks; what stands deeper is lost, which is told."""
_LONGEST: Final = 30_000
"""Characters of a paragraph that are parsed: brackets and stars take quadratic time."""

_LONGEST_ID: Final = 300
"""Characters at the end of a heading in which its id is looked for."""
_LONGEST_TITLE: Final = 300
"""Characters of the first line of a container that are its title."""

_TAG: Final = re.compile(
    r"</?[A-Z][a-z][\w.]*(?:[^<>{}\"']++|\"[^\"]*\"|'[^']*'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*+>"
)
"""A component of MDX or Vue; elements of HTML are not written so."""
_TEMPLATE: Final = re.compile(
    r"\{%(?:[^%]|%(?!\})){0,1000}+%\}|\{\{[^{}]{0,1000}\}\}|\{/\*.{0,1000}?\*/\}", re.DOTALL
)
"""Liquid, shortcodes of Hugo, and comments of MDX."""
_ATTRIBUTES: Final = re.compile(
    r"\{:[^{}\n]*\}|\{[ \t]*(?:[#.][\w.:-]+|[\w-]+=(?:\"[^\"\n{}]*\"|[^\s\"{}]+))"
    r"(?:[ \t]+(?:[#.][\w.:-]+|[\w-]+=(?:\"[^\"\n{}]*\"|[^\s\"{}]+)))*[ \t]*\}"
)
_EXPRESSION: Final = re.compile(r"\{[^{}]{0,1000}\}")
_ID: Final = re.compile(r"(?:^|[\s{:])#([^\s{}#]+)")
_HEADING_ID: Final = re.compile(
    r"[ \t]*(?:\{:?[ \t]*([^{}]*#[^{}]*)\}|\{/\*[ \t]*(#[^{}\s]+)[ \t]*\*/\})[ \t]*#*[ \t]*\Z"
)
_SPOKEN: Final = re.compile(r"<[^<>]*?\s(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)
_ALERT: Final = re.compile(
    r"\A(?:\\?\[!\w+(?:[ \t][^\[\]\n]*)?\\?\][+-]?|!\[(?:info|note|tip|warning|caution|important)\](?!\())[ \t]*\n?",  # noqa: E501
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"\[!(?:DNL|UICONTROL)[ \t]+([^\[\]\n]*)\]")
"""Words that are marked for translators, as Adobe does."""
_TIGHT: Final = re.compile(r"(#{2,6})(?=[^#\s.])")
_FOLDING: Final = frozenset(("admonition_open", "admonition_close"))
_IMPORT: Final = re.compile(
    r"import\s+(?:[\w*{][^;'\"]*\sfrom\s+)?[\"'][^\"']+[\"'];?|export\s+(?:const|default|function|let)\b"
)
_INCLUDES: Final = (
    re.compile(r"^[ \t]*-+8<-+[ \t]+[\"']([^\"'\n]+)[\"'][ \t]*$", re.MULTILINE),
    re.compile(r"^[ \t]*\{!>?([^\n!]+)!\}[ \t]*$", re.MULTILINE),
    re.compile(r"\[!INCLUDE[ \t]*\[[^\]\n]*\]\(([^()\n]+)\)\]", re.IGNORECASE),
)
"""Lines of other files in MkDocs, its older plugin, and Microsoft's."""
_COMMENT_INCLUDE: Final = re.compile(r"<!--\s*@include:\s*(\S+?)\s*-->")
_TEMPLATE_INCLUDE: Final = re.compile(
    r"\{[{%][<%-]?\s*(?:include(?:[_-]\w+)*|render)\s+(?:file=)?[\"']?([^\s\"'{}%]+)"
)
_MARKED: Final = re.compile(
    r"^([ \t]*<[a-z](?=[^<>\n]*\smarkdown[=\s>])[^<>\n]*+>)[ \t]*$", re.MULTILINE
)
"""A line of HTML that holds Markdown by the rules of Python-Markdown and kramdown."""
_NAMED_END: Final = re.compile(r"^([ \t]*`{3,})(<a name=\"[^\"<>\n]*\"></a>)[ \t]*$", re.MULTILINE)
"""The end of a code block with an old anchor after it, which would not end it."""
_LINK: Final = re.compile(r"\]\(((?:\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\})+)")
"""The beginning of a link that is made by a template."""
_REF: Final = re.compile(
    r"\{(?:\{[<%]|%-?)\s*(?:rel)?(ref|link|post_url)\s+(?:path=)?[\"']?([^\"'\s{}%]+)[^{}]*\}"
)
_QUOTED: Final = re.compile(r"\{\{\s*[\"']([^\"'\s]+)[\"'][^{}]*\}\}")


@dataclass(slots=True)
class Rendered:
    """A text as HTML, and what was not read of it."""

    html: str = ""
    includes: list[str] = field(default_factory=list)
    """Files that the writer wanted to stand in the page."""
    too_deep: bool = False
    too_long: bool = False


def render(text: str, *, jsx: bool) -> Rendered:
    """A Markdown text as HTML; ``jsx`` by the rules of MDX: no indented code, braces are code."""
    rendered = Rendered()
    text = _MARKED.sub(r"\1\n", text.replace("\r\n", "\n"))
    text = _NAMED_END.sub(r"\1\n\2\n", text)
    text = _LINK.sub(_plain_link, text)
    spoken = frozenset(_SPOKEN.findall(text))
    rendered.html = _parser(jsx).render(text, {"rendered": rendered, "spoken": spoken})
    return rendered


def _plain_link(link: re.Match[str]) -> str:
    """A link to a page by its file, as Hugo (``ref``) and Jekyll (``link``) make it.

    Else without its variables.
    """
    ref, quoted = _REF.search(link[1]), _QUOTED.search(link[1])
    if ref is not None:
        root = "/" if ref[1] == "link" else ""
        return f"]({root}{ref[2]}"
    return f"]({quoted[1]}" if quoted is not None else "]("


@cache
def _parser(jsx: bool) -> MarkdownIt:  # noqa: FBT001 - the key of a cache
    md = MarkdownIt("commonmark", {"maxNesting": _NESTING, "html": True})
    md.enable(["table", "strikethrough"])
    md.use(footnote_plugin).use(deflist_plugin).use(admon_plugin)
    md.use(container_plugin, name="any", validate=_is_container, render=_container)
    paragraphs: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("container_any", "marker", _marker, paragraphs)
    md.block.ruler.before("fence", "tab", _tab, paragraphs)
    md.block.ruler.before("html_block", "component", _component_block, paragraphs)
    md.block.ruler.before("html_block", "import", _import)
    md.block.ruler.after("heading", "tight_heading", _tight_heading, paragraphs)
    md.inline.ruler.after("escape", "template", _inline_rule(_templates(jsx), _of_template))
    md.inline.ruler.before("html_inline", "component", _inline_rule((_TAG,), _of_tag))
    md.core.ruler.after("block", "flavours", _mend)
    md.core.ruler.push("heading_ids", _identify)
    md.add_render_rule("s_open", lambda *_: "<s hidden>")  # struck-out text is not read
    md.add_render_rule("footnote_anchor", lambda *_: "")
    if jsx:
        md.disable("code")
    return md


def _templates(jsx: bool) -> tuple[re.Pattern[str], ...]:  # noqa: FBT001 - a rule of the parser
    return (_TEMPLATE, _ATTRIBUTES, _EXPRESSION) if jsx else (_TEMPLATE, _ATTRIBUTES)


def _is_container(params: str, *_: object) -> bool:
    return re.match(r"\s*(?:[\w{]|\[)", params) is not None


def _container(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    """The element around a container, with the title that the writer gave it."""
    token = tokens[index]
    words = re.match(r"\s*\{?([\w-]*)\}?(.*)", token.info)
    name, title = (words[1], words[2][:_LONGEST_TITLE]) if words is not None else ("", "")
    element = "details" if name == "details" else "div"
    if token.nesting < 0:
        opening = _opening_name(tokens, index)
        return f"</{'details' if opening == 'details' else 'div'}>\n"
    title = re.sub(r"\{[^{}]*\}|\b[\w-]+=\"[^\"]*\"", "", title).strip().strip("[]\"'")
    head = "summary" if element == "details" else "p"
    return f"<{element}>\n" + (f"<{head}>{escape(title)}</{head}>\n" if title else "")


def _opening_name(tokens: Sequence[Token], index: int) -> str:
    """The name of the container that ends at ``index``."""
    level = tokens[index].level
    while index and not (
        tokens[index].type == "container_any_open" and tokens[index].level == level
    ):
        index -= 1
    return tokens[index].info.strip().split(" ")[0]


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _is_code(state: StateBlock, number: int) -> bool:
    return state.is_code_block(number)


def _marker(state: StateBlock, start: int, _end: int, silent: bool) -> bool:  # noqa: FBT001
    """A line of Microsoft's that opens or closes nothing which is text: ``:::image …:::``, ``::.

    Zone-end``.
    """
    line = _line(state, start).rstrip()
    said = line.strip(": \t")
    name = said.partition(" ")[0]
    whole = line.endswith(":::") or name.endswith("-end") or name in {"zone", "moniker"}
    if not line.startswith(":::") or not said or not whole or _is_code(state, start):
        return False
    if not silent:
        state.line = start + 1
    return True


def _tab(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """A tab of MkDocs: ``=== "Title"`` and a body that is indented by four."""
    title = re.fullmatch(r"===[!+]?[ \t]+\"([^\"]*)\"[ \t]*", _line(state, start))
    if title is None or _is_code(state, start):
        return False
    if silent:
        return True
    inner = state.blkIndent + 4
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= inner):
        last += 1
    state.push("tab_open", "div", 1)
    state.push("paragraph_open", "p", 1)
    label = state.push("inline", "", 0)
    label.content, label.children = title[1], []
    state.push("paragraph_close", "p", -1)
    outer, most, state.blkIndent, state.lineMax = state.blkIndent, state.lineMax, inner, last
    state.md.block.tokenize(state, start + 1, last)
    state.blkIndent, state.lineMax, state.line = outer, most, last
    state.push("tab_close", "div", -1)
    return True


def _component_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Lines that are nothing but tags of components: what stands between them is Markdown."""
    position = state.bMarks[start] + state.tShift[start]
    if _is_code(state, start) or not state.src.startswith("<", position):
        return False
    limit = state.eMarks[end - 1]
    last = position
    while (tag := _TAG.match(state.src, last, limit)) is not None:
        last = tag.end()
        while last < limit and state.src[last] in " \t":
            last += 1
        if last >= limit or state.src[last] == "\n":
            break
    if last == position or (last < limit and state.src[last] != "\n"):
        return False
    if not silent:
        state.line = start + 1 + state.src.count("\n", position, last)
    return True


def _import(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Imports and exports of MDX, up to the next empty line."""
    if silent or state.level or _IMPORT.match(_line(state, start)) is None:
        return False
    if _is_code(state, start):
        return False
    last = start + 1
    while last < end and not state.isEmpty(last):
        last += 1
    state.line = last
    return True


def _tight_heading(state: StateBlock, start: int, _end: int, silent: bool) -> bool:  # noqa: FBT001
    """A heading without a blank after its signs, as older parsers took it."""
    heading = _TIGHT.match(line := _line(state, start))
    if heading is None or _is_code(state, start):
        return False
    if silent:
        return True
    tag = f"h{len(heading[1])}"
    state.line = start + 1
    state.push("heading_open", tag, 1).map = [start, state.line]
    text = state.push("inline", "", 0)
    text.content = line[heading.end() :].rstrip().rstrip("#").rstrip()
    text.children, text.map = [], [start, state.line]
    state.push("heading_close", tag, -1)
    return True


_Inline = Callable[[StateInline, bool], bool]


def _inline_rule(
    patterns: Sequence[re.Pattern[str]], of: Callable[[StateInline, str], None]
) -> _Inline:
    """A rule for what is no text."""

    def rule(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
        if state.src[state.pos] not in "{<":
            return False
        for pattern in patterns:
            found = pattern.match(state.src, state.pos, state.posMax)
            if found is not None:
                if not silent:
                    of(state, found[0])
                state.pos = found.end()
                return True
        return False

    return rule


def _of_template(state: StateInline, text: str) -> None:
    """Notes the file that a template includes, and the id that attributes give."""
    included = _TEMPLATE_INCLUDE.match(text)
    if included is not None:
        _rendered(state.env).includes.append(included[1])
        return
    name = _ID.search(text) if _ATTRIBUTES.fullmatch(text) else None
    if name is not None:
        state.push("html_inline", "", 0).content = f'<span id="{escape(name[1])}"></span>'


def _of_tag(_state: StateInline, _text: str) -> None:
    """A tag of a component is no text, what stands between two is."""


def _rendered(env: object) -> Rendered:
    found = env["rendered"] if isinstance(env, dict) else None
    return found if isinstance(found, Rendered) else Rendered()


def _mend(state: StateCore) -> None:
    """What is said in the first or last words of a block.

    Ids of headings, marks of alerts, included files.
    """
    rendered = _rendered(state.env)
    tokens = state.tokens
    for number, token in enumerate(tokens):
        rendered.too_deep |= token.level >= _NESTING - 1
        if token.type == "html_block":
            rendered.includes += _COMMENT_INCLUDE.findall(token.content)
        if token.markup.startswith("?") and token.type in _FOLDING:
            token.tag = "details"
        if token.type != "inline":
            continue
        if len(token.content) > _LONGEST:
            rendered.too_long = True
            token.type, token.content = "html_block", escape(token.content)
            continue
        token.content = _WORDS.sub(r"\1", token.content)
        before = tokens[number - 1]
        if before.type == "heading_open":
            _take_id(before, token)
        elif before.type == "admonition_title_open":
            _take_title(tokens[number - 2 : number + 2])
        elif number > 1 and tokens[number - 2].type == "blockquote_open":
            token.content = _ALERT.sub("", token.content)
        for pattern in _INCLUDES:
            rendered.includes += [name.strip() for name in pattern.findall(token.content)]
            token.content = pattern.sub("", token.content)


def _take_title(tokens: Sequence[Token]) -> None:
    """Gives an admonition the whole title, also where no kind stands before it.

    As a summary if it folds.
    """
    admonition, opening, text, closing = tokens
    said = admonition.info.strip()
    if said.startswith('"'):
        text.content = said.strip('"')
    if admonition.tag == "details":
        opening.tag = closing.tag = "summary"


def _take_id(heading: Token, text: Token) -> None:
    """Moves the id that stands at the end of a heading to the heading."""
    end = max(0, len(text.content) - _LONGEST_ID)
    found = _HEADING_ID.search(text.content, end)
    name = _ID.search(found[1] or found[2]) if found is not None else None
    if found is not None and name is not None:
        heading.attrSet("id", name[1])
        text.content = text.content[: found.start()]


def _identify(state: StateCore) -> None:
    """Gives every heading the ids of the generators, after that of its writer."""
    headings = [n for n, token in enumerate(state.tokens) if token.type == "heading_open"]
    texts = [_text(state.tokens[n + 1].children or []) for n in headings]
    said = [str(state.tokens[n].attrGet("id") or "") for n in headings]
    spoken = state.env["spoken"].union(said)
    for number, own, names in zip(headings, said, heading_ids(texts, spoken), strict=True):
        rest = names if own else names[1:]
        if not own and names:
            state.tokens[number].attrSet("id", names[0])
        marks = "".join([f'<span id="{escape(name)}"></span>' for name in rest])
        state.tokens[number + 1].children = [
            Token("html_inline", "", 0, content=marks),
            *(state.tokens[number + 1].children or []),
        ]


def _text(tokens: Sequence[Token]) -> str:
    texts = [token.content for token in tokens if token.type in {"text", "code_inline"}]
    return "".join(texts)
