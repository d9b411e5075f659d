"""Bytes of a page -> text, as browsers decode it, but never with a silent replacement character."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

# Where a WHATWG label means another decoder than Python's codec of that name.
# Source: WHATWG Encoding, "Names and labels".
_WHATWG: Final[dict[str, str]] = {
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "ms_kanji": "cp932",
    "csshiftjis": "cp932", "windows-31j": "cp932", "ms932": "cp932",
    "euc-kr": "cp949", "euckr": "cp949", "ks_c_5601-1987": "cp949", "ks_c_5601-1989": "cp949", "ksc5601": "cp949",
    "ksc_5601": "cp949",
    "korean": "cp949", "windows-949": "cp949", "cseuckr": "cp949",
    "gb2312": "gb18030", "gb_2312-80": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "chinese": "gb18030",
    "csgb2312": "gb18030", "iso-ir-58": "gb18030", "gb18030": "gb18030",
    "big5": "big5hkscs", "big5-hkscs": "big5hkscs", "cn-big5": "big5hkscs", "x-x-big5": "big5hkscs",
    "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "latin1": "cp1252", "l1": "cp1252", "ascii": "cp1252",
    "us-ascii": "cp1252", "ansi_x3.4-1968": "cp1252", "x-cp1252": "cp1252", "windows-1252": "cp1252",
    "iso-8859-9": "cp1254", "latin5": "cp1254", "tis-620": "cp874", "iso-8859-11": "cp874",
    "x-euc-jp": "euc_jp", "euc-jp": "euc_jp", "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "x-unicode20utf8": "utf-8",
    # A page that says so in ASCII bytes cannot be UTF-16 (WHATWG, "prescan").
    "utf-16": "utf-8", "utf-16le": "utf-8", "utf-16be": "utf-8", "ucs-2": "utf-8", "unicode": "utf-8",
}  # fmt: skip
_NAMES: Final = {
    "cp932": "shift_jis", "cp949": "euc-kr", "big5hkscs": "big5", "cp1252": "windows-1252", "cp1254": "windows-1254",
    "cp874": "windows-874", "euc_jp": "euc-jp", "euc_jisx0213": "euc-jp",
    "iso2022_jp_ext": "iso-2022-jp", "utf_8": "utf-8",
}  # fmt: skip
_SINGLE_BYTE: Final = frozenset({"cp1252", "cp1254", "cp874", "latin_1", "mac_roman", "koi8_r", "iso8859_15"})
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_PRESCAN: Final = 4096
"""Bytes searched for a declaration. The standard says 1024; real templates put comments before it."""
_META: Final = re.compile(rb"<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]+)", re.IGNORECASE)
_XML: Final = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.\-]+)[\"']")
_COMMENT: Final = re.compile(rb"<!--.*?(?:-->|$)", re.DOTALL)
_SAMPLE: Final = 100_000
"""Bytes given to the detector: it is slow, and more do not change its answer."""
_TAIL: Final = 4
"""The longest character in bytes: what a file cut in the middle can miss."""
_DETECTABLE: Final = ("cp932", "euc_jp", "cp949", "gb18030", "big5", "iso2022_jp", "cp1252", "cp1251", "utf_16")
_BAD_SHARE: Final = 0.01
"""Share of undecodable characters up to which a page is read with them replaced, and a warning."""

# JIS X 0208 characters that Python maps elsewhere than WHATWG (and Windows) does.
_JIS: Final = str.maketrans("\u301c\u2016\u2212\u00a2\u00a3\u00ac", "\uff5e\u2225\uff0d\uffe0\uffe1\uffe2")
_CONTROLS: Final = bytes((*range(1, 9), *range(14, 27), *range(28, 32), 127))  # not ESC: ISO-2022 needs it
_CONTROL: Final = re.compile("[\x01-\x08\x0e-\x1f\x7f]")
_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HALF_WIDTH_KANA: Final = re.compile("[\uff61-\uff9f]")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_HIGH: Final = re.compile("[^\\x00-\\x7f]")
_PLAUSIBLE_SHARE: Final = 0.3


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page as text, the encoding it was read in (WHATWG name), and what a person should know about it."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded | None:
    """The text of a page without control characters; see :func:`_decode` for what decides its encoding."""
    decoded = _decode(data)
    if decoded is None or len(data.translate(None, _CONTROLS)) == len(data):
        return decoded
    return Decoded(_CONTROL.sub("", decoded.text), decoded.encoding, decoded.warnings)


def _decode(data: bytes) -> Decoded | None:
    """The text of a page, or None if its bytes are text in no encoding that fits.

    A byte-order mark decides; then bytes that are valid UTF-8; then the declaration (meta or XML), if they decode and
    read like text; then detection. Whatever differs from the declaration, and every replaced character, is warned of.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return _lossy(data[len(bom) :], name, (), share=1.0)
    declared = _declared(data)
    text = _strict(data, "utf-8")
    if text is not None:
        disagrees = declared not in {None, "utf-8"} and not data.isascii()
        warning = (f"encoding: declared {_name(declared or '')} but the bytes are utf-8",) if disagrees else ()
        return Decoded(text, "utf-8", warning)
    if declared is not None:
        text = _strict(data, declared)
        if text is not None and _reads_well(text, declared):
            return Decoded(text, _name(declared))
    return _detected(data, declared)


def _declared(data: bytes) -> str | None:
    """The codec that the page's own declaration means; None if there is none that is known."""
    head = data[:_PRESCAN]
    found = _XML.search(head) or _META.search(_COMMENT.sub(b"", head))
    if found is None:
        return None
    label = found[1].decode("ascii").lower()
    if label in _WHATWG:
        return _WHATWG[label]
    try:
        known = codecs.lookup(label)
    except LookupError:
        return None
    return known.name.replace("-", "_") if known.name != "utf-8" else "utf-8"


def _name(codec: str) -> str:
    return _NAMES.get(codec, codec.replace("_", "-"))


def _strict(data: bytes, codec: str) -> str | None:
    """``data`` decoded without any replacement; None if that is impossible."""
    try:
        return _jis(data.decode(codec), codec)
    except (UnicodeDecodeError, LookupError):
        pass
    try:
        if codec == "euc_jp":  # vendor characters such as the circled digits, which browsers read
            return _jis(data.decode("euc_jisx0213"), codec)
        if codec in {"cp1252", "cp1254", "cp874"}:  # WHATWG maps the unused bytes to control characters
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


def _reads_well(text: str, codec: str) -> bool:
    """Whether ``text`` looks like what people write, and not like other bytes that happen to decode."""
    high = len(_HIGH.findall(text[:_SAMPLE]))
    if codec in _SINGLE_BYTE:  # two of three letters accented: multi-byte text read byte by byte
        return high < _PLAUSIBLE_SHARE * max(200, sum(map(str.isalpha, text[:_SAMPLE])))
    if codec == "cp932":
        return len(_HALF_WIDTH_KANA.findall(text[:_SAMPLE])) <= _PLAUSIBLE_SHARE * max(20, high)
    return True


def _detected(data: bytes, declared: str | None) -> Decoded | None:
    """The text by detection, or with the declared encoding and a few characters replaced; None if nothing fits."""
    hints = tuple(filter(None, (declared, "utf-8")))
    for codec in hints:  # a file cut in the middle of a character
        cut = next((text for n in range(1, _TAIL) if (text := _strict(data[:-n], codec)) is not None), None)
        if cut is not None and _reads_well(cut, codec):
            return Decoded(cut, _name(codec), (f"encoding: {_name(codec)} text that ends inside a character",))
    for codec in hints:
        if codec not in _SINGLE_BYTE and (decoded := _lossy(data, codec, ())) is not None:
            return decoded
    best = _guess(data)
    if best is not None and (text := _strict(data, best)) is not None:
        said = f"declared {_name(declared)}" if declared else "not declared"
        return Decoded(text, _name(best), (f"encoding: {said}; read as {_name(best)} by detection",))
    if declared is not None and (text := _strict(data, declared)) is not None:
        return Decoded(text, _name(declared), (f"encoding: text that does not look like {_name(declared)}",))
    return None if best is None else _lossy(data, best, ("encoding: found by detection",))


def _guess(data: bytes) -> str | None:
    """The codec in which ``data`` reads best, or None: by kana, by hangul, else what the detector says."""
    best, most = None, _PLAUSIBLE_SHARE
    for codec, script in (("euc_jp", _KANA), ("cp932", _KANA), ("cp949", _HANGUL)):
        text = _strict(data, codec)
        if text is None or not _reads_well(text, codec):
            continue
        high = len(_HIGH.findall(text[:_SAMPLE]))
        share = len(script.findall(text[:_SAMPLE])) / max(1, high)
        if share > most:
            best, most = codec, share
    if best is None:
        text = _strict(data, "gb18030")
        if text is not None and len(_HAN.findall(text)) > 0.8 * len(_HIGH.findall(text)):
            return "gb18030"
        from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to import, and rarely needed

        match = from_bytes(data[:_SAMPLE], cp_isolation=list(_DETECTABLE)).best()
        best = None if match is None else match.encoding
    return best


def _lossy(data: bytes, codec: str, warnings: tuple[str, ...], *, share: float = _BAD_SHARE) -> Decoded | None:
    """``data`` with what does not decode replaced, and counted in a warning; None if that is over ``share``."""
    text = _jis(data.decode(codec, "replace"), codec)
    bad = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    if bad > share * max(1, len(text)):
        return None
    if bad > 0:
        warnings = (*warnings, f"encoding: {bad} characters are not {_name(codec)} and were replaced by U+FFFD")
    return Decoded(text, _name(codec), warnings)
