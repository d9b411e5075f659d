"""What a reference cell names: its links, its text, and the parts of it when the whole is no name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from hayami.parts import Piece, text_of
from hayami.text.fold import compact, fold, has_word, squeeze


@dataclass(frozen=True, slots=True)
class Reference:
    """One thing that a cell names: a text, and the link on it if there is one."""

    text: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link resolved against its page: a path within the build (empty for the page itself) and a fragment."""

    path: str
    fragment: str
    external: bool = False


_IGNORED_SCHEMES: Final = frozenset(("javascript", "mailto", "tel", "data", "about"))
_IGNORED_IN_HREF: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.\-]*):")
_SEPARATORS: Final = re.compile(
    r"\s*(?:／|、|，|・|·|;|；|\n|(?<!\w)/(?!\w)|(?<=\s)/(?=\s)|,\s+|(?<=[^\s\d])\s+&\s+)\s*"
)
_LOOSE_SEPARATORS: Final = re.compile(
    r"\s*(?:\bor\b|\band\b|および|及び|または|又は|또는|및|和|或)\s*"
)
_JOINT: Final = re.compile(
    r"(?:[\W_]|(?<!\d)\d{1,2}(?!\d)|と|や|及び|および|または|又は|もしくは|ならびに|そして|など|ほか|와|과|및|또는|그리고|이나"
    r"|和|与|與|及|以及|或者|或|等|and|or|then|also|seealso|see|plus|both)+"
)
"""What can stand between two names of a list, blanks aside."""
_SENTENCE_END: Final = re.compile(r"[。！？]|(?<=[^\s.])[.!?](?=\s|$)")
_PROSE: Final = 40
"""Characters outside links from which a cell is prose with links in it, and not a list of links."""
_ARROWS: Final = r"[\s・→⇒➡⇨▶►▸»›>☞👉↓↳•*■●◆–—:：]+"
_LEADING: Final = tuple(
    re.compile(rf"^(?:{pattern})", re.IGNORECASE)
    for pattern in (
        _ARROWS,
        r"see(?: also)?(?: the)?(?: section)?(?: on| about)?\b[\s:]+(?=\S)",
        r"(?:refer to|read(?: more)? (?:in|about)|read more|details in|described in|explained in)\b[\s:]+(?:the )?",
        r"read(?:\s*:\s*|\s+(?=[「『“\"‘']|the\b))(?:the )?",  # "Read replicas" is a name
        r"(?:参照|参考|参见|參見|請見)\s*[:：]\s*",
        r"(?:詳しくは|詳細は|くわしくは)[、,\s]*",
        r"(?:자세한 내용은\s*[:：]?|(?:참고|참조)\s*[:：])\s*(?=\S)",
        r"(?:请|請)?(?:参见|参看|参阅|参考|参照|详见|見|见|看|參見|詳見)[:：\s]*(?=[「『《“\"])",
        r"(?:请|請)?(?:参见|参看|参阅|详见|參見|詳見)[:：\s]*",
    )
)
"""What writers put before a reference."""
_TRAILING: Final = tuple(
    re.compile(rf"(?:{pattern})$", re.IGNORECASE)
    for pattern in (
        r"[\s→⇒➡»›>▶。．、,:：!！]+",
        r"(?<=\w)\.(?<!\.\.)",
        r"(?:[をもはにへ]|(?<=[」』）\s]))(?:ご?参照|ご?参考|ご?確認|ご覧)(?:に?して(?:ください|下さい)|ください|下さい|のこと|する|します)?",
        r"[をも](?:ご?覧ください|見る|見て(?:ください|下さい)|読む|読んで(?:ください|下さい)?)",
        r"の(?:節|章|項|項目|見出し|セクション|パート|ページ|記事|欄|箇所|ところ)(?:へ|で|に|を|で(?:解説|説明|後述))?",
        r"で(?:解説|説明|後述|紹介)(?:する|します|しています|している)?",
        r"(?<=[」』》”\"])(?:一节|一章|这一节|章节|部分|小节|节|一節|節)",
        r"(?<=[」』》”\"’'])\s*(?:section|chapter)",
        r"(?:\s*(?:을|를)\s*(?:참고|참조|확인)|\s+(?:참고|참조)|(?<=[」』”\"])\s*(?:참고|참조))(?:하세요|하십시오|하기|하라)?",
        r"\s*(?:을|를)\s*(?:보세요|보십시오|보라|본다|읽으세요)",
        r"(?:에서|에)\s*(?:설명|다룬다|다룹니다|설명한다|설명합니다|자세히 다룬다)",
        r"(?<=[」』”\"’'])\s*(?:절|장|부분|항목|섹션)(?:을|를|에서|에)?",
    )
)
"""What they put behind it."""
_UNIT: Final = r"(?:section|chapter|part|step|heading|page|article|h[1-6])"
_BY_THE_WAY: Final = (
    re.compile(
        r"^(?:(?:please\s+)?(?:(?:see|read|check|visit|open|consult|more|details|explained|described|discussed|covered"
        r"|documented|detailed|answered)|(?:go|jump|skip|head|scroll|refer)\s+to|check\s+out|look\s+at|learn\s+more"
        r"|find\s+(?:it|this|out|more|out\s+more)|cf(?=\.?\s)|below|above)\b\.?(?:\s+(?:also|more|below|above|here))*"
        r"(?:\s+(?:in|on|under|about|at))?\s*[:\s]\s*)?(?:the\s+)?"
        rf"(?:{_UNIT}(?:\s*\d+(?:\.\d+)*)?\s*[:,–—-]\s*)?",
        re.IGNORECASE,
    ),
    re.compile(r"^(?:[\u2460-\u2473]|[(（]?[一二三四五六七八九十]{1,3}[、.)）])\s*"),
    re.compile(
        rf"(?:\s*[,(–—-]\s*{_UNIT}\s*\d+(?:\.\d+)*\)?|\s+{_UNIT})?"
        r"(?:\s+(?:below|above|for\s+(?:the\s+)?(?:more\s+)?(?:details|information|more)))*$",
        re.IGNORECASE,
    ),
)
"""What stands around some references and can as well be part of a name ("Read replicas", "Check constraints")."""
_LONGEST: Final = 400
"""Characters from which a text is no name with a decoration."""
_QUOTED: Final = re.compile(r"^[「『“\"'‘《〈【\[（(](.+)[」』”\"'’》〉】\]）)]$")
_INNER_QUOTE: Final = re.compile(r"[「『《](.{2,80}?)[」』》]|[“\"](.{2,80}?)[”\"]")


def strip_decorations(text: str) -> str:
    """A reference without arrows, quotes and "see …": ``→「設定の変更」の節を参照`` is 設定の変更.

    Never empty if ``text`` holds a word.
    """
    current = squeeze(text)
    while len(current) <= _LONGEST:
        stripped = _without(current, (*_TRAILING, *_LEADING))
        quoted = _QUOTED.match(stripped)
        if quoted is not None and not re.search(
            r"[「『“《〈【（(].*[」』”》〉】）)]", quoted[1][:-1] + "x"
        ):
            stripped = quoted[1].strip()
        if stripped == current or not has_word(stripped):
            return current
        current = stripped
    return current


def without_phrases(text: str) -> str:
    """A reference without what may be a phrase around it or a part of the name: only a heading's whole name may match.

    >>> without_phrases("Jump to section 2: Building the index"), without_phrases("the index section below")
    ('Building the index', 'index')
    """
    return text if len(text) > _LONGEST else _without(text, _BY_THE_WAY, edges=" _*`")


def _without(text: str, patterns: Iterable[re.Pattern[str]], *, edges: str | None = None) -> str:
    """``text`` without what each pattern finds first and without the characters ``edges`` (blanks) at its ends.

    Nothing is taken that would leave no word.
    """
    for pattern in patterns:
        shorter = pattern.sub("", text, count=1).strip(edges)
        text = shorter if has_word(shorter) else text
    return text


def cell_references(
    pieces: Sequence[Piece], generic: frozenset[str] = frozenset()
) -> tuple[Reference, ...]:
    """The links of a cell, each as one reference; without links the whole text is one.

    In prose with links the links explain words, all but those that only say "details" (``generic``,
    compact texts) or, where there are none, those of the last sentence ("… See A or B.").
    """
    links = [piece for piece in pieces if piece.href is not None and not _ignored(piece.href)]
    whole = text_of(pieces)
    if not links:
        return (Reference(whole),) if whole else ()
    outside = sum(len(piece.text) for piece in pieces if piece.href is None)
    if outside > _PROSE:
        links = [p for p in links if compact(p.text) in generic] or _last_sentence(pieces) or links
    merged: dict[str, str] = {}
    for link in links:
        href = link.href or ""
        merged[href] = squeeze(f"{merged.get(href, '')}{link.text}")
    return tuple(Reference(text, href) for href, text in merged.items())


def _last_sentence(pieces: Sequence[Piece]) -> list[Piece]:
    """The links after the last sentence end outside of links that is not the cell's own end."""
    found: list[Piece] = []
    for piece in reversed(pieces):
        if piece.href is not None:
            if not _ignored(piece.href):
                found.append(piece)
        elif found and (piece.breaks or _SENTENCE_END.search(piece.text)):
            break
    return list(reversed(found))


def _ignored(href: str) -> bool:
    scheme = _SCHEME.match(href)
    return (
        scheme is not None and scheme[1].lower() in _IGNORED_SCHEMES
    ) or not href.strip().lstrip("#")


def parts_of(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The parts of a text cell that its writer may have meant one by one; empty if there is only one."""
    text = "".join("\n" if piece.breaks else piece.text for piece in pieces)
    parts = _split(text, _SEPARATORS)
    return parts if len(parts) > 1 else loose_parts(text)


def loose_parts(text: str) -> tuple[str, ...]:
    """Parts joined by a word for "and" or "or"; only to be believed if every one of them is a name."""
    parts = _split(text, _LOOSE_SEPARATORS)
    return parts if len(parts) > 1 else ()


def listed_names(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that a text lists and nothing else, whatever joins them; empty if it is no list of two or more.

    Args:
        text: a cell's text.
        names: compact texts (:func:`hayami.text.fold.compact`); so are those given back.

    >>> listed_names("圧縮と展開 → 索引", ["索引", "圧縮と展開", "展開"])
    ('圧縮と展開', '索引')
    """
    squeezed = compact(strip_decorations(text))
    if len(squeezed) > _LONGEST:
        return ()
    here = sorted(
        (name for name in names if len(name) > 1 and name in squeezed), key=len, reverse=True
    )
    opening = _JOINT.match(squeezed)
    starts = range((opening.end() if opening else 0) + 1) if len(here) > 1 else ()
    failed: set[int] = set()
    found = next(
        (covered for start in starts if (covered := _cover(squeezed, start, here, failed))), ()
    )
    return found if len(found) > 1 else ()


def _cover(text: str, start: int, names: Sequence[str], failed: set[int]) -> tuple[str, ...]:
    """Names that make up ``text`` from ``start`` on, with joints between and perhaps one at the end; empty if none do.

    ``failed`` remembers the starts from which none do: each is tried once.
    """
    for name in names if start not in failed else ():
        end = start + len(name)
        if not text.startswith(name, start):
            continue
        joint = _JOINT.match(text, end)
        if end == len(text) or (joint is not None and joint.end() == len(text)):
            return (name,)
        for after in range(joint.end(), end, -1) if joint is not None else ():
            if rest := _cover(text, after, names, failed):
                return (name, *rest)
    failed.add(start)
    return ()


def _split(text: str, separators: re.Pattern[str]) -> tuple[str, ...]:
    """``text`` at separators that stand outside of brackets and quotes."""
    depth, start = 0, 0
    parts: list[str] = []
    breaks = {match.start(): match.end() for match in separators.finditer(text)}
    for i, char in enumerate(text):
        depth += char in "([（「『《【"
        depth -= char in ")]）」』》】"
        if i in breaks and depth <= 0 and i >= start:
            parts.append(text[start:i])
            start = breaks[i]
    parts.append(text[start:])
    return tuple(part for part in map(squeeze, parts) if has_word(part))


def quoted_parts(text: str) -> tuple[str, ...]:
    """What stands in quotes inside a sentence: the names in ``詳しくは「A」と「B」で``."""
    return tuple(squeeze(one or other) for one, other in _INNER_QUOTE.findall(text))


def is_placeholder(text: str, words: Sequence[str]) -> bool:
    """Whether a cell says that there is no reference: empty, nothing but dashes, or one of ``words``."""
    folded = fold(text)
    if not folded or re.fullmatch(r"[\-~_=.·・…*/|ー\s]+", folded):
        return True
    return compact(text) in {compact(word) for word in words}


def resolve_link(href: str, page: str, base: str) -> Link:
    """Where a link leads, within the build or outside of it.

    A fragment alone means the page itself, whatever ``base`` says (as Safari and offline readers
    do). An absolute ``base`` names the published copy of the page's own folder, so links below it
    are links between files.

    Args:
        href: the link as written.
        page: the path of its page, relative to the source folder.
        base: the page's ``base href``, or empty.

    Source: WHATWG HTML, "fallback base URL".
    """
    href = _IGNORED_IN_HREF.sub("", href).strip().split(":~:")[0]
    if href.startswith("#"):
        return Link("", href[1:])
    folder = posixpath.dirname(page)
    root = f"file:///{quote(page)}"
    if href.startswith("?"):
        return Link("", urlsplit(href).fragment)
    base = base if _is_address(base) else ""
    try:
        published = urlsplit(base)
        if published.netloc:
            return _below_base(urlsplit(urljoin(base, href)), published, folder)
        resolved = urlsplit(urljoin(urljoin(root, base), href))
    except ValueError:  # an address that is none, such as http://[
        return Link("", "", external=True)
    if resolved.scheme != "file" or resolved.netloc:
        return Link("", resolved.fragment, external=True)
    return Link(unquote(resolved.path).lstrip("/") or "./", resolved.fragment)


def _host(address: SplitResult) -> tuple[str, int]:
    return (address.hostname or "").lower(), address.port or {"http": 80, "https": 443}.get(
        address.scheme, 0
    )


def _is_address(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:  # such as http://[
        return False
    return True


def _below_base(resolved: SplitResult, published: SplitResult, folder: str) -> Link:
    """A link resolved against the published address of a page's folder, as a path between files."""
    if _host(resolved) != _host(published):
        return Link("", resolved.fragment, external=True)
    here = posixpath.dirname(published.path)
    relative = posixpath.relpath(resolved.path or "/", here or "/")
    path = posixpath.normpath(posixpath.join(folder, unquote(relative)))
    return Link(path + "/" * resolved.path.endswith("/"), resolved.fragment)
