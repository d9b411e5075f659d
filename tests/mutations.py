"""Random damage to real pages.

Reading and labelling must end in an article or a rejection, never in a traceback.

``python tests/mutations.py [FOLDER] [-n 5000] [--seed 0]`` damages pages of a folder, reads each
with both ways of finding tables, and prints every finding with the seed that brings it back
(``--seed THAT -n 1``). Exit code 1 on a finding. Not a test of the suite: it is run before a
release, and for longer on a folder of one's own.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from hayami.errors import HayamiError
from hayami.extract.files import SourceFile
from hayami.extract.readers import reader_of
from hayami.making.reading import read_file
from hayami.settings import Detect, Settings

BOTH = tuple(Settings(detect=detect, lead=True, code=True) for detect in Detect)
TAG = re.compile(rb"<[^<>]{1,200}>")
END_TAG = re.compile(rb"</[a-zA-Z0-9]+>")
START_TAG = re.compile(rb"<([a-zA-Z0-9]+)((?:\s[^<>]*)?)>")
ATTRIBUTE = re.compile(rb"\s([a-z\-]+)=(\"[^\"]*\"|'[^']*'|[^\s<>\"']+)")
CHARSET = re.compile(rb"charset=[\"']?[A-Za-z0-9_\-]+")
CHARSETS = (
    *(
        "utf-8",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "euc-kr",
        "gb2312",
        "gb18030",
        "big5",
        "utf-16",
        "utf-16be",
    ),
    *(
        "utf-7",
        "latin1",
        "windows-1252",
        "x-user-defined",
        "replacement",
        "hz-gb-2312",
        "idna",
        "punycode",
        "rot13",
    ),
    *(
        "hex",
        "base64",
        "bz2",
        "zip",
        "uu",
        "undefined",
        "unicode_escape",
        "mbcs",
        "utf-32",
        "utf-8-sig",
        "",
        "なし",
    ),
)
TAGS = (
    *(
        "table",
        "tr",
        "td",
        "th",
        "thead",
        "tbody",
        "tfoot",
        "caption",
        "colgroup",
        "col",
        "h1",
        "h2",
        "h3",
        "h6",
    ),
    *(
        "a",
        "p",
        "div",
        "section",
        "article",
        "nav",
        "aside",
        "header",
        "template",
        "script",
        "style",
        "title",
    ),
    *(
        "svg",
        "math",
        "select",
        "option",
        "form",
        "button",
        "ruby",
        "rt",
        "pre",
        "br",
        "base",
        "frameset",
        "plaintext",
    ),
    *(
        "!--",
        "![CDATA[",
        "?xml",
        "!DOCTYPE",
        "noscript",
        "textarea",
        "iframe",
        "html",
        "body",
        "head",
        "marquee",
    ),
)
ATTRIBUTES = (
    *(
        'rowspan="0"',
        'rowspan="65534"',
        'rowspan="-1"',
        'colspan="1000"',
        'colspan="0"',
        'colspan="9999999999"',
    ),
    *(
        'rowspan="１２"',
        'colspan="²"',
        'href="#"',
        'href=""',
        'href="http://["',
        'href="//"',
        'href="#%zz"',
    ),
    *(
        'href="?#x"',
        'href="%2e%2e/x.html#y"',
        'href="javascript:x"',
        'href="#\u3042"',
        'id="x y"',
        'id=""',
        'name="x"',
    ),
    *(
        "hidden",
        'style="display:none"',
        'role="table"',
        'role="row"',
        'role="navigation"',
        'lang="xx"',
        'class="sr-only"',
    ),
)
ENTITIES = (
    "&#0;",
    "&#x110000;",
    "&#xD800;",
    "&nbsp;",
    "&amp",
    "&#128;",
    "&NotEqualTilde;",
    "&#x2028;",
    "&#xFFFE;",
    "&;",
)
TEXTS = (
    *(
        "第999999999999章",
        "1~9999章",
        "章" * 500,
        "①" * 50,
        "\u202e",
        "\ufeff",
        "\u3000" * 30,
        "／" * 200,
        "「" * 60,
    ),
    *(
        "0.0.0.0.0.0.0",
        "²章",
        "१章",
        "第〇章",
        "第十百章",
        "\U0001f469\u200d\U0001f680",
        "ﬁ",
        "İ",
        "e\u0301" * 40,
        "\0",
    ),
)


def place(chance: random.Random, data: bytes) -> int:
    return chance.randrange(len(data) + 1)


def insert(chance: random.Random, data: bytes, words: Sequence[str]) -> bytes:
    at = place(chance, data)
    return data[:at] + chance.choice(words).encode() + data[at:]


def replace_one(
    chance: random.Random, data: bytes, pattern: re.Pattern[bytes], new: Callable[[bytes], bytes]
) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return data
    match = chance.choice(found)
    return data[: match.start()] + new(match[0]) + data[match.end() :]


def flip_bytes(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 3, 30, 300))):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(chance: random.Random, data: bytes) -> bytes:
    at = place(chance, data)
    return data[:at] if chance.random() < 0.7 else data[at:]


def repeat_slice(chance: random.Random, data: bytes) -> bytes:
    start, end = sorted((place(chance, data), place(chance, data)))
    end = min(end, start + chance.choice((20, 500, 20_000)))
    return data[:end] + data[start:end] * chance.choice((1, 5, 40)) + data[end:]


def insert_tag(chance: random.Random, data: bytes) -> bytes:
    tag = chance.choice(TAGS)
    attributes = "".join(f" {chance.choice(ATTRIBUTES)}" for _ in range(chance.randrange(3)))
    closed = "-->" if tag == "!--" and chance.random() < 0.5 else ">"
    return insert(
        chance,
        data,
        [f"{chance.choice(('<', '</'))}{tag}{attributes}{closed}" * chance.choice((1, 1, 3, 700))],
    )


def insert_entity(chance: random.Random, data: bytes) -> bytes:
    return insert(chance, data, ENTITIES)


def insert_text(chance: random.Random, data: bytes) -> bytes:
    return insert(chance, data, TEXTS)


def remove_end_tag(chance: random.Random, data: bytes) -> bytes:
    return replace_one(chance, data, END_TAG, lambda _: b"")


def remove_all_of_one_end_tag(chance: random.Random, data: bytes) -> bytes:
    found = END_TAG.findall(data)
    return data.replace(chance.choice(found), b"") if found else data


def swap_tags(chance: random.Random, data: bytes) -> bytes:
    found = [match.span() for match in TAG.finditer(data)]
    if len(found) < 2:
        return data
    (a, b), (c, d) = sorted(chance.sample(found, 2))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def swap_attributes(chance: random.Random, data: bytes) -> bytes:
    found = list(ATTRIBUTE.finditer(data))
    if len(found) < 2:
        return data
    one, other = sorted(chance.sample(found, 2), key=lambda match: match.start())
    (a, b), (c, d) = one.span(2), other.span(2)
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def add_attribute(chance: random.Random, data: bytes) -> bytes:
    new = f" {chance.choice(ATTRIBUTES)}>".encode()
    return replace_one(chance, data, START_TAG, lambda tag: tag[:-1] + new)


def change_charset(chance: random.Random, data: bytes) -> bytes:
    new = f'charset="{chance.choice(CHARSETS)}'.encode()
    if CHARSET.search(data) is None:
        return b"<meta " + new + b'">' + data
    return replace_one(chance, data, CHARSET, lambda _: new)


def change_encoding(chance: random.Random, data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(
        chance.choice(("utf-16", "utf-16-le", "cp932", "euc_jp", "cp949", "gb18030", "utf-32")),
        "replace",
    )


def add_base(chance: random.Random, data: bytes) -> bytes:
    href = chance.choice(
        ("http://[", "//", "https://example.org/a/", "../..", "file:///", "data:,x", "%", "#x", ":")
    )
    return data.replace(b"<head>", f'<head><base href="{href}">'.encode(), 1)


MUTATIONS = (
    *(
        flip_bytes,
        cut,
        repeat_slice,
        insert_tag,
        insert_entity,
        insert_text,
        remove_end_tag,
        remove_all_of_one_end_tag,
    ),
    *(swap_tags, swap_attributes, add_attribute, change_charset, change_encoding, add_base),
)


def damaged(pages: Sequence[Path], seed: int) -> tuple[Path, list[str], bytes]:
    """The page that a seed chooses, what was done to it, and what became of it."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    page = chance.choice(pages)
    data = page.read_bytes()
    done = chance.choices(MUTATIONS, k=chance.choice((1, 1, 2, 3, 6)))
    for mutation in done:
        data = mutation(chance, data)
    return page, [mutation.__name__ for mutation in done], data


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parent.parent / "data" / "articles"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("-n", type=int, default=5000, help="damaged pages to read")
    parser.add_argument(
        "--seed", type=int, default=0, help="the first seed; each page has the next one"
    )
    options = parser.parse_args()
    pages = sorted(
        path for path in options.folder.rglob("*") if reader_of(path.name) and path.is_file()
    )
    if not pages:
        parser.error(f"no HTML file in {options.folder}")
    findings = 0
    slowest = (0.0, 0, "")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        for seed in range(options.seed, options.seed + options.n):
            page, done, data = damaged(pages, seed)
            file.write_bytes(data)
            name = page.relative_to(options.folder).as_posix()
            for settings in BOTH:
                begun = time.perf_counter()
                try:
                    read_file(SourceFile(str(file), name, page.stem), settings)
                except HayamiError:
                    pass
                except Exception:  # noqa: BLE001 - any other error is what is looked for
                    findings += 1
                    print(
                        f"--seed {seed} -n 1: {name}, {' + '.join(done)}, detect {settings.detect}"
                    )
                    print(traceback.format_exc())
                slowest = max(
                    slowest, (time.perf_counter() - begun, seed, f"{name}, {' + '.join(done)}")
                )
    print(
        f"{options.n:,} damaged pages of {len(pages)}, each read {len(BOTH)} times: {findings} findings"  # noqa: E501
    )
    print(f"slowest: {slowest[0]:.2f} s, --seed {slowest[1]}: {slowest[2]}")
    return int(findings > 0)


if __name__ == "__main__":
    sys.exit(main())
