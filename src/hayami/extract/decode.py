"""Bytes of a page -> text, as browsers decode it, but never with a silent replacement character."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

# The labels of the WHATWG Encoding standard: its name for an encoding, Python's codec, the other
# labels.
_ENCODINGS: Final[tuple[tuple[str, str, str], ...]] = (
    ("utf-8", "utf-8", "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
    ("shift_jis", "cp932", "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis"),
    ("euc-jp", "euc_jp", "cseucpkdfmtjapanese x-euc-jp"),
    ("iso-2022-jp", "iso2022_jp_ext", "csiso2022jp"),
    (
        "euc-kr",
        "cp949",
        "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",  # noqa: E501
    ),
    (
        "gb18030",
        "gb18030",
        "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    ),
    ("big5", "big5hkscs", "big5-hkscs cn-big5 csbig5 x-x-big5"),
    (
        "windows-1252",
        "cp1252",
        (
            "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "  # noqa: E501
            "iso_8859-1:1987 l1 latin1 us-ascii x-cp1252"
        ),
    ),
    (
        "windows-1254",
        "cp1254",
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254",  # noqa: E501
    ),
    ("windows-874", "cp874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"),
    *(
        (f"windows-{n}", f"cp{n}", f"cp{n} x-cp{n}")
        for n in (1250, 1251, 1253, 1255, 1256, 1257, 1258)
    ),
    *(
        (f"iso-8859-{n}", f"iso8859_{n}", f"iso8859-{n} iso8859{n} iso_8859-{n}")
        for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)
    ),
    ("iso-8859-2", "iso8859_2", "latin2 l2 csisolatin2 iso-ir-101 iso_8859-2:1987"),
    ("iso-8859-3", "iso8859_3", "latin3 l3 csisolatin3 iso-ir-109 iso_8859-3:1988"),
    ("iso-8859-4", "iso8859_4", "latin4 l4 csisolatin4 iso-ir-110 iso_8859-4:1988"),
    ("iso-8859-5", "iso8859_5", "cyrillic csisolatincyrillic iso-ir-144 iso_8859-5:1988"),
    ("iso-8859-6", "iso8859_6", "arabic csisolatinarabic iso-ir-127 ecma-114 iso_8859-6:1987"),
    (
        "iso-8859-7",
        "iso8859_7",
        "greek csisolatingreek iso-ir-126 ecma-118 elot_928 greek8 iso_8859-7:1987",
    ),
    ("iso-8859-8", "iso8859_8", "hebrew csisolatinhebrew iso-ir-138 iso_8859-8:1988 visual"),
    ("iso-8859-10", "iso8859_10", "latin6 l6 csisolatin6 iso-ir-157"),
    ("iso-8859-15", "iso8859_15", "csisolatin9 l9"),
    ("koi8-r", "koi8_r", "cskoi8r koi koi8 koi8_r"),
    ("koi8-u", "koi8_u", "koi8-ru"),
    ("ibm866", "cp866", "866 cp866 csibm866"),
    ("macintosh", "mac_roman", "csmacintosh mac x-mac-roman"),
    # A page that says so in ASCII bytes cannot be UTF-16 (WHATWG, "prescan").
    (
        "utf-8",
        "utf-8",
        "utf-16 utf-16le utf-16be unicode ucs-2 csunicode iso-10646-ucs-2 unicodefeff unicodefffe",
    ),
)
_CODECS: Final = {
    label: codec for name, codec, others in _ENCODINGS for label in (name, *others.split())
}
_NAMES: Final = {codec: name for name, codec, _ in reversed(_ENCODINGS)} | {
    "euc_jisx0213": "euc-jp",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
}
_LATIN: Final = frozenset(("cp1252", "cp1254", "cp1250", "iso8859_2", "iso8859_15", "mac_roman"))
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PRESCAN: Final = 4096
"""Bytes searched for a declaration.

The standard says 1024; real templates put comments before it.
"""
_META: Final = re.compile(rb"<meta[\s/]((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>", re.IGNORECASE)
_CHARSET: Final = re.compile(rb"(?:^|[\s\"'/])charset\s*=\s*[\"']?\s*([^\s\"'>/;]+)", re.IGNORECASE)
_CONTENT: Final = re.compile(
    rb"content\s*=\s*[\"']?[^\"'>]*?charset\s*=\s*[\"']?([^\s\"'>;]+)", re.IGNORECASE
)
_HTTP_EQUIV: Final = re.compile(rb"http-equiv\s*=\s*[\"']?\s*content-type", re.IGNORECASE)
_QUOTED: Final = re.compile(
    rb"(?:content|name|property)\s*=\s*(?:\"[^\"]*\"|'[^']*')", re.IGNORECASE
)
_XML: Final = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.\-]+)[\"']")
_UNSEEN: Final = re.compile(
    rb"<!--.*?(?:-->|$)|<(script|style|title)\b.*?(?:</\1|$)", re.DOTALL | re.IGNORECASE
)
_SAMPLE: Final = 100_000
"""Bytes given to the detector: it is slow, and more do not change its answer."""
_TAIL: Final = 4
"""The longest character in bytes: what a file cut in the middle can miss."""
_BAD_SHARE: Final = 0.05
"""Share of the characters beyond ASCII that may be undecodable in a page that is read all the same,
with a warning."""

# JIS X 0208 characters that Python maps elsewhere than WHATWG (and Windows) does.
_JIS: Final = str.maketrans(
    "\u301c\u2016\u2212\u00a2\u00a3\u00ac", "\uff5e\u2225\uff0d\uffe0\uffe1\uffe2"
)
_CONTROLS: Final = bytes((*range(1, 9), *range(14, 32), 127))
_CONTROL: Final = re.compile("[\x01-\x08\x0e-\x1f\x7f]")
_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HALF_WIDTH_KANA: Final = re.compile("[\uff61-\uff9f]")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_HANGUL_WORDS: Final = re.compile("[\uac00-\ud7a3][.,!?]? (?=[\uac00-\ud7a3])")
_NO_CHARACTER: Final = re.compile(
    "[\uf8f0-\uf8f3]"
)  # what Python makes of the bytes A0 and FD to FF in cp932
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")
_HIGH: Final = re.compile("[^\\x00-\x7f]")
_HIGH_RUN: Final = re.compile("[^\\x00-\x7f]{8}")
_MARKUP: Final = re.compile(r"<[^>]*>")
_DENSE_SHARE: Final = 0.35
_COMMON_HAN: Final = re.compile(
    "[的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法"
    "這個為國時來們對會發動過說產種經後從實現點機還進與問題設置頁如何怎么请使用文件设置密码号更改]"
)
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_LEVEL_ONE_END: Final = 0xD7
"""Lead byte of the last of the 3,755 common characters in GB 2312."""
_COMMON_SHARE: Final = 0.9
_FEW: Final = 8
_KANA_SHARE: Final = 0.2
_HANGUL_SHARE: Final = 0.75
"""Shares of the characters beyond ASCII from which a text is Japanese or Korean, however it was
decoded."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page as text, the encoding it was read in (WHATWG name).

    And what a person should know about it.
    """

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded | None:
    """The text of a page without control characters.

    See :func:`_decode` for what decides its encoding.
    """
    decoded = _decode(data)
    if decoded is None or len(data.translate(None, _CONTROLS)) == len(data):
        return decoded
    return Decoded(_CONTROL.sub("", decoded.text), decoded.encoding, decoded.warnings)


def _decode(data: bytes) -> Decoded | None:
    """The text of a page, or None if its bytes are text in no encoding that fits.

    A byte-order mark decides; then bytes that are valid UTF-8; then the declaration (meta or XML),
    if they decode and read like text; then detection. Whatever differs from the declaration, and
    every replaced character, is warned of.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return _lossy(data[len(bom) :], name, (), share=1.0)
    declared = _declared(data)
    if declared == "iso2022_jp_ext" or (declared is None and b"\x1b" in data and b"\x1b$" in data):
        text = _strict(data, "iso2022_jp_ext")  # its bytes are all ASCII, and so valid UTF-8 too
        if text is not None and _KANA.search(text):
            said = () if declared else ("encoding: not declared; read as iso-2022-jp by detection",)
            return Decoded(text, "iso-2022-jp", said)
    text = _strict(data, "utf-8")
    if text is not None:
        disagrees = declared not in {None, "utf-8"} and not data.isascii()
        warning = (
            (f"encoding: declared {_name(declared or '')} but the bytes are utf-8",)
            if disagrees
            else ()
        )
        return Decoded(text, "utf-8", warning)
    if declared is not None:
        text = _strict(data, declared)
        if text is not None and _reads_well(text, declared, data):
            return Decoded(text, _name(declared))
    return _detected(data, declared)


def _declared(data: bytes) -> str | None:
    """The codec that the page's own declaration means; None if there is none that the web knows."""
    head = data[:_PRESCAN]
    xml = _XML.search(head)
    labels = [xml[1]] if xml is not None else []
    for meta in _META.finditer(_UNSEEN.sub(b"", head)):
        attributes = meta[1]
        found = _CONTENT.search(attributes) if _HTTP_EQUIV.search(attributes) else None
        found = found or _CHARSET.search(_QUOTED.sub(b"", attributes))
        labels += [found[1]] if found is not None else []
    known = (_CODECS.get(label.decode("latin-1").strip().lower()) for label in labels)
    return next((codec for codec in known if codec is not None), None)


def _name(codec: str) -> str:
    return _NAMES.get(codec, codec.replace("_", "-"))


def _strict(data: bytes, codec: str) -> str | None:
    """``data`` decoded without any replacement; None if that is impossible."""
    try:
        text = _jis(data.decode(codec), codec)
        return None if codec == "cp932" and _NO_CHARACTER.search(text) else text
    except UnicodeDecodeError:
        pass
    try:
        if codec == "euc_jp":  # vendor characters such as the circled digits, which browsers read
            return _jis(data.decode("euc_jisx0213"), codec)
        if codec in {
            "cp1252",
            "cp1254",
            "cp874",
        }:  # WHATWG maps the unused bytes to control characters
            return "".join(_single(byte, codec) for byte in data)
    except UnicodeDecodeError:
        pass
    return None


def _jis(text: str, codec: str) -> str:
    return text.translate(_JIS) if codec.startswith(("euc_j", "iso2022_jp")) else text


def _single(byte: int, codec: str) -> str:
    try:
        return bytes((byte,)).decode(codec)
    except UnicodeDecodeError:
        return chr(byte)


def _share(script: re.Pattern[str], text: str) -> float:
    """The share of a script among the characters beyond ASCII."""
    sample = text[:_SAMPLE]
    return len(script.findall(sample)) / max(1, len(_HIGH.findall(sample)))


def _reads_well(text: str, codec: str, data: bytes) -> bool:
    """Whether ``text`` looks like what people write.

    And not like other bytes that happen to decode.
    """
    if codec in _LATIN:  # eight accented letters in a row: multi-byte text read byte by byte
        return _HIGH_RUN.search(text) is None and not _dense(text)
    if codec in {"cp932", "euc_jp"} and _share(_KANA, text) >= _KANA_SHARE:
        return True
    if codec == "cp949" and _share(_HANGUL, text) >= _HANGUL_SHARE and _spaced(text):
        return True
    if codec not in {"cp932", "euc_jp", "cp949", "gb18030", "big5hkscs"}:
        return True
    if _share(_PRIVATE, text) > _BAD_SHARE or (
        codec == "cp932" and _share(_HALF_WIDTH_KANA, text) > _HANGUL_SHARE / 2
    ):
        return False
    better = _by_script(data)
    return better is None or better == codec


def _dense(text: str) -> bool:
    """Whether much of the text outside of tags is beyond ASCII, as no text in Latin letters is."""
    words = "".join(_MARKUP.sub(" ", text[:_SAMPLE]).split())
    return len(_HIGH.findall(words)) > max(_FEW, _DENSE_SHARE * len(words))


def _is_simplified(data: bytes) -> bool:
    """Whether the bytes are GB 2312 of which nearly all characters are of its first level.

    The common ones.
    """
    text = _strict(data, "gb2312")
    han = _HAN.findall(text[:_SAMPLE]) if text is not None else []
    common = sum(char.encode("gb2312")[0] <= _LEVEL_ONE_END for char in han)
    return len(han) >= _FEW and common >= _COMMON_SHARE * len(han)


def _spaced(text: str) -> bool:
    """Whether hangul stands in words with blanks between them.

    Which Chinese read as Korean does not.
    """
    sample = text[:_SAMPLE]
    return len(_HANGUL_WORDS.findall(sample)) * 20 >= len(_HANGUL.findall(sample))


def _by_script(data: bytes) -> str | None:
    """The East Asian codec in which ``data`` is plainly Japanese, Korean or Chinese.

    None if it is none of them.
    """
    best, most = None, 0.0
    for codec in ("euc_jp", "cp932"):
        text = _strict(data, codec)
        if text is None or _share(_HALF_WIDTH_KANA, text) > _KANA_SHARE:
            continue
        share = _share(_KANA, text)
        if share >= _KANA_SHARE and share > most:
            best, most = codec, share
    if best is not None:
        return best
    korean = _strict(data, "euc_kr")
    han = _strict(data, "gb18030")
    if han is not None and _share(_COMMON_HAN, han) > _KANA_SHARE / 2:
        korean = None  # plain Chinese reads as Korean too
    if korean is not None and _share(_HANGUL, korean) >= _HANGUL_SHARE and _spaced(korean):
        return "cp949"
    if not _dense(data.decode("latin-1")):
        return None
    if _is_simplified(data):
        return "gb18030"
    chinese = {codec: _strict(data, codec) for codec in ("gb18030", "big5hkscs")}
    shares = {
        codec: _share(_COMMON_HAN, text) for codec, text in chinese.items() if text is not None
    }
    likely = max(shares, key=lambda codec: shares[codec], default=None)
    return likely if likely is not None and shares[likely] >= _KANA_SHARE / 2 else None


def _detected(data: bytes, declared: str | None) -> Decoded | None:
    """The text by detection, or with the declared encoding and a few characters replaced.

    None if nothing fits.
    """
    hints = tuple(dict.fromkeys(filter(None, (declared, "utf-8"))))
    for codec in hints:  # a file cut in the middle of a character
        if codec in _LATIN:
            continue
        cut = next(
            (text for n in range(1, _TAIL) if (text := _strict(data[:-n], codec)) is not None), None
        )
        if cut is not None and _reads_well(cut, codec, data):
            return Decoded(
                cut, _name(codec), (f"encoding: {_name(codec)} text that ends inside a character",)
            )
    for codec in hints:
        decoded = _lossy(data, codec, ()) if codec not in _LATIN else None
        if decoded is not None and _reads_well(decoded.text, codec, data):
            return decoded
    best = _by_script(data) or _guess(data)
    if best is not None and (text := _strict(data, best)) is not None:
        said = f"declared {_name(declared)}" if declared else "not declared"
        return Decoded(
            text, _name(best), (f"encoding: {said}; read as {_name(best)} by detection",)
        )
    if declared is not None and (text := _strict(data, declared)) is not None:
        return Decoded(
            text, _name(declared), (f"encoding: text that does not look like {_name(declared)}",)
        )
    return None if best is None else _lossy(data, best, ("encoding: found by detection",))


def _guess(data: bytes) -> str | None:
    """The codec that the detector finds, if the web knows it."""
    from charset_normalizer import from_bytes

    match = from_bytes(
        data[:_SAMPLE], cp_isolation=["cp1252", "cp1251", "cp949", "big5", "cp1253"]
    ).best()
    return None if match is None else _CODECS.get(match.encoding.replace("_", "-"), match.encoding)


def _lossy(
    data: bytes, codec: str, warnings: tuple[str, ...], *, share: float = _BAD_SHARE
) -> Decoded | None:
    """``data`` with what does not decode replaced, and counted in a warning.

    None if that is over ``share``.
    """
    text = _NO_CHARACTER.sub("\ufffd", _jis(data.decode(codec, "replace"), codec))
    bad = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    if bad > share * max(1, len(_HIGH.findall(text))):
        return None
    if bad > 0:
        warnings = (
            *warnings,
            f"encoding: {bad} characters are not {_name(codec)} and were replaced by U+FFFD",
        )
    return Decoded(text, _name(codec), warnings)
