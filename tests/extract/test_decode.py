"""Bytes -> text: labels, byte-order marks, wrong and missing declarations, damaged files."""

from __future__ import annotations

import encodings.aliases

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hayami.extract.decode import decode

JA = (
    "ポート番号を変えたいときは、設定画面の「ネットワーク」を開きます。パスワードを忘れたときは、管理者に再発行を"
    "頼んでください。手順は次の節で詳しく説明します。古い機種では表示が違うことがあります。"
)
KO = (
    "포트 번호를 바꾸고 싶을 때는 설정 화면에서 네트워크를 엽니다. 비밀번호를 잊었을 때는 관리자에게 다시 발급해 "  # noqa: E501
    "달라고 하십시오. 자세한 순서는 다음 절에서 설명합니다. 오래된 기종에서는 표시가 다를 수 있습니다."  # noqa: E501
)
ZH = (
    "如果想更改端口号，请打开设置页面中的网络选项。忘记密码的时候，请联系管理员重新发放。详细的步骤会在下一节里"
    "说明。在旧的机型上，显示的内容可能有所不同。更新之后需要重新启动，这样新的设置才会生效。"
)
TW = (
    "如果想更改連接埠號碼，請開啟設定頁面中的網路選項。忘記密碼的時候，請聯絡管理員重新發放。詳細的步驟會在下一節"
    "裡說明。在舊的機型上，顯示的內容可能有所不同。更新之後需要重新啟動，這樣新的設定才會生效。"
)
FR = (
    "Pour changer le numéro de port, ouvrez la page « Réseau » des réglages. Si vous avez oublié votre mot de passe, "  # noqa: E501
    "demandez-en un autre à l'administrateur. La procédure détaillée est décrite à la section suivante. "  # noqa: E501
)
RU = (
    "Чтобы изменить номер порта, откройте в настройках страницу «Сеть». Если вы забыли пароль, попросите "  # noqa: E501
    "администратора выдать новый. Подробный порядок действий описан в следующем разделе. "
)
TH = "หากต้องการเปลี่ยนหมายเลขพอร์ต ให้เปิดหน้าเครือข่ายในการตั้งค่า หากลืมรหัสผ่าน โปรดขอใหม่จากผู้ดูแลระบบ "

SPRING = {
    "ja": "春になると、庭の桃の木に花が咲きます。祖母は布団を干しながら、子どもたちに昔の話を聞かせてくれました。",  # noqa: E501
    "ko": "봄이 오자 마당의 복숭아나무에 분홍색 꽃이 가득 피었다. 할머니는 이불을 널면서 옛날이야기를 들려주셨다. ",  # noqa: E501
    "zh": "春天来了，院子里的桃树开满了粉红色的花。奶奶一边晒被子，一边给孩子们讲过去的故事。",
    "tw": "春天來了，院子裡的桃樹開滿了粉紅色的花。奶奶一邊曬被子，一邊給孩子們講過去的故事。",
    "fr": "Au printemps, les pêchers se couvrent de fleurs roses. La grand-mère racontait des histoires aux élèves. ",  # noqa: E501
}
TAXES = {
    "ja": "納税の期限は三月十五日です。期限を過ぎると延滞税がかかるため、早めに申告書を提出してください。",  # noqa: E501
    "ko": "납세 기한은 3월 15일입니다. 기한이 지나면 가산세가 붙으니 신고서를 일찍 제출하시기 바랍니다. ",  # noqa: E501
    "zh": "纳税期限为三月十五日。逾期将加收滞纳金，因此请尽早提交申报表，并妥善保管回执。",
    "tw": "納稅期限為三月十五日。逾期將加收滯納金，因此請儘早提交申報表，並妥善保管回執。",
    "fr": "La déclaration d'impôts est à déposer avant le 15 mars. Passé ce délai, des pénalités seront exigées. ",  # noqa: E501
}

LIBRARY = {
    "ja": "図書館の本は二週間まで借りられます。延長したい場合は、窓口か電話で申し出てください。",
    "ko": "도서관 책은 2주 동안 빌릴 수 있습니다. 연장하려면 창구나 전화로 신청하십시오. ",
    "zh": "图书馆的书可以借两个星期。如需续借，请到窗口或打电话办理。",
    "tw": "圖書館的書可以借兩個星期。如需續借，請到窗口或打電話辦理。",
    "de": "Bücher können zwei Wochen ausgeliehen werden. Für eine Verlängerung wenden Sie sich bitte an die Ausleihe. ",  # noqa: E501
}

# The encodings of the web that articles in Japanese, Korean and Chinese are written in:
# label, Python's codec that writes the bytes, text.
ENCODINGS = [
    ("shift_jis", "cp932", "ja", JA),
    ("euc-jp", "euc_jp", "ja", JA),
    ("iso-2022-jp", "iso2022_jp", "ja", JA),
    ("euc-kr", "cp949", "ko", KO),
    ("gb18030", "gb18030", "zh", ZH),
    ("big5", "big5", "tw", TW),
]
CJK = [
    pytest.param(label, codec, text, id=f"{label}-{name}")
    for label, codec, language, manual in ENCODINGS
    for name, text in (
        ("manual", manual),
        ("spring", SPRING[language]),
        ("taxes", TAXES[language]),
        ("library", LIBRARY[language]),
    )
]
EIGHT_BIT = [case for case in CJK if not str(case.id).startswith("iso-2022-jp")]


def page(text: str, codec: str, label: str = "") -> bytes:
    meta = f'<meta charset="{label}">' if label else ""
    return (
        f"<html><head>{meta}</head><body><p>".encode() + text.encode(codec) + b"</p></body></html>"
    )


def body(text: str) -> str:
    return text.partition("<p>")[2].partition("</p>")[0]


# --- declarations ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "codec", "text"), CJK)
def test_a_declared_encoding_is_read_and_named_as_the_web_names_it(
    label: str, codec: str, text: str
) -> None:
    decoded = decode(page(text, codec, label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (text, label, ())


@pytest.mark.parametrize(
    ("label", "codec", "name", "text"),
    [
        ("windows-1251", "cp1251", "windows-1251", RU),
        ("koi8-r", "koi8_r", "koi8-r", RU.replace("«", "").replace("»", "")),
        ("iso-8859-5", "iso8859_5", "iso-8859-5", RU.replace("«", "").replace("»", "")),
        ("tis-620", "cp874", "windows-874", TH),
        (
            "iso-8859-9",
            "cp1254",
            "windows-1254",
            "Bağlantı noktası numarası için ayarları açın; şifre ğüşıöç. ",
        ),
        ("iso-8859-15", "iso8859_15", "iso-8859-15", "Le port coûte 5 € à l'œil nu. "),
        ("windows-1252", "cp1252", "windows-1252", FR),
        (
            "windows-1250",
            "cp1250",
            "windows-1250",
            "Číslo portu změníte v nastavení sítě; heslo žádejte u správce. ",
        ),
        (
            "iso-8859-2",
            "iso8859_2",
            "iso-8859-2",
            "Numer portu zmienisz w ustawieniach sieci, a hasło wyda ktoś inny. ",
        ),
        (
            "windows-1253",
            "cp1253",
            "windows-1253",
            "Αλλάξτε τον αριθμό θύρας στις ρυθμίσεις του δικτύου. ",
        ),
        (
            "iso-8859-7",
            "iso8859_7",
            "iso-8859-7",
            "Αλλάξτε τον αριθμό θύρας στις ρυθμίσεις του δικτύου. ",
        ),
    ],
)
def test_declared_alphabets_beyond_latin_are_read_as_declared(
    label: str, codec: str, name: str, text: str
) -> None:
    decoded = decode(page(text * 3, codec, label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (text * 3, name, ())


@pytest.mark.parametrize(
    "label",
    ["shift_jis", "Shift-JIS", "SJIS", "x-sjis", "ms_kanji", "ms932", "csShiftJIS", "Windows-31J"],
)
def test_every_label_of_shift_jis_means_the_vendors_characters_too(label: str) -> None:
    text = f"①～㈱髙﨑の設定 {JA}"
    decoded = decode(page(text, "cp932", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (text, "shift_jis", ())


@pytest.mark.parametrize(
    "label",
    [
        *("euc-kr", "EUC-KR", "cseuckr", "csksc56011987", "iso-ir-149", "korean", "ks_c_5601-1987"),
        *("ks_c_5601-1989", "ksc5601", "ksc_5601", "windows-949"),
    ],
)
def test_every_label_of_euc_kr_means_all_modern_syllables(label: str) -> None:
    text = f"똠방각하 펲시콜라 {KO}"
    decoded = decode(page(text, "cp949", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (text, "euc-kr", ())


@pytest.mark.parametrize(
    "label",
    [
        *(
            "gb2312",
            "GB2312",
            "gbk",
            "x-gbk",
            "chinese",
            "csgb2312",
            "csiso58gb231280",
            "gb_2312",
            "gb_2312-80",
        ),
        *("iso-ir-58", "gb18030"),
    ],
)
def test_every_label_of_simplified_chinese_means_all_of_unicode(label: str) -> None:
    text = f"朱镕基 𠮷野家 {ZH}"
    decoded = decode(page(text, "gb18030", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (text, "gb18030", ())


@pytest.mark.parametrize("label", ["big5", "Big5-HKSCS", "cn-big5", "csbig5", "x-x-big5"])
def test_every_label_of_big5_means_the_characters_of_hong_kong_too(label: str) -> None:
    text = f"呢啲嘢喺邊度？ {TW}"
    decoded = decode(page(text, "big5hkscs", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (text, "big5", ())


@pytest.mark.parametrize("label", ["euc-jp", "x-euc-jp", "cseucpkdfmtjapanese"])
def test_euc_jp_is_read_as_browsers_do_with_circled_digits_and_the_wide_tilde(label: str) -> None:
    wave_dash = "\u301c".encode("euc_jp")
    data = page("", "ascii", label).replace(
        b"<p>", b"<p>\xad\xa1" + wave_dash + JA.encode("euc_jp")
    )
    decoded = decode(data)
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (f"①～{JA}", "euc-jp", ())


@pytest.mark.parametrize(
    "label",
    [
        *(
            "iso-8859-1",
            "ISO_8859-1",
            "iso_8859-1:1987",
            "iso8859-1",
            "iso88591",
            "iso-ir-100",
            "csisolatin1",
            "latin1",
        ),
        *(
            "l1",
            "cp819",
            "ibm819",
            "us-ascii",
            "ascii",
            "ansi_x3.4-1968",
            "cp1252",
            "x-cp1252",
            "windows-1252",
        ),
    ],
)
def test_every_label_of_latin_1_means_windows_1252(label: str) -> None:
    text = f"“naïve” – 5 € {FR}"
    decoded = decode(page(text, "cp1252", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (text, "windows-1252", ())


def test_the_unused_bytes_of_windows_1252_are_control_characters_and_no_error() -> None:
    decoded = decode(b'<meta charset="windows-1252"><p>caf\xe9 \x81</p>')
    assert decoded is not None
    assert (body(decoded.text), decoded.warnings) == ("café \x81", ())


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="shift_jis">',
        "<meta charset='shift_jis'>",
        "<meta charset=shift_jis>",
        "<META CHARSET = Shift_JIS />",
        '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">',
        '<meta content="text/html;charset=x-sjis" http-equiv="content-type">',
        '<?xml version="1.0" encoding="Shift_JIS"?>',
        "\n<?xml version='1.0' encoding='shift_jis' standalone='yes'?>",
        '<!-- <meta charset="euc-jp"> --><meta charset="shift_jis">',
        '<!--\n<meta charset="utf-8">\n-->\n<meta charset="shift_jis">',
        '<meta name="description" content="charset=euc-jp の文字化けを直す"><meta charset="shift_jis">',  # noqa: E501
        "<!-- " + "雛形の説明 " * 60 + '--><meta charset="shift_jis">',
    ],
)
def test_a_declaration_is_found_in_each_of_its_forms(declaration: str) -> None:
    decoded = decode(declaration.encode("cp932") + f"<p>①{JA}</p>".encode("cp932"))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (f"①{JA}", "shift_jis", ())


def test_a_page_that_only_talks_about_an_encoding_declares_none() -> None:
    head = '<meta name="description" content="charset=shift_jis の意味">'
    decoded = decode(f"{head}<p>{JA}</p>".encode())
    assert decoded is not None
    assert (decoded.encoding, decoded.warnings) == ("utf-8", ())


@pytest.mark.parametrize(
    "label", ["utf-8", "utf8", "UTF-8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "unicode"]
)
def test_a_declaration_in_ascii_bytes_that_says_unicode_means_utf_8(label: str) -> None:
    decoded = decode(page(JA, "utf-8", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding, decoded.warnings) == (JA, "utf-8", ())


def test_a_page_of_ascii_alone_is_utf_8_whatever_it_declares() -> None:
    decoded = decode(page("plain", "ascii", "euc-jp"))
    assert decoded is not None
    assert (decoded.encoding, decoded.warnings) == ("utf-8", ())


@pytest.mark.parametrize(
    "label",
    [
        *(
            "undefined",
            "rot13",
            "hex",
            "base64",
            "zlib",
            "idna",
            "punycode",
            "unicode_escape",
            "raw_unicode_escape",
        ),
        *("cp037", "utf-7", "utf-32", "mbcs", "x-no-such"),
    ],
)
def test_a_label_that_the_web_does_not_know_is_as_good_as_none(label: str) -> None:
    decoded = decode(page(JA, "cp932", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (JA, "shift_jis")


LABELS = sorted(
    {
        *encodings.aliases.aliases,
        *encodings.aliases.aliases.values(),
        "undefined",
        "idna",
        "punycode",
    }
)


@settings(
    deadline=None, max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(
    label=st.sampled_from(LABELS),
    rest=st.sampled_from([JA.encode("cp932"), KO.encode("cp949"), b"\x80\xff\xfe"]),
)
def test_no_label_whatever_raises(label: str, rest: bytes) -> None:
    decode(f'<meta charset="{label}">'.encode() + rest)


# --- byte-order marks -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "codec", "name"),
    [
        (b"\xef\xbb\xbf", "utf-8", "utf-8"),
        (b"\xff\xfe", "utf-16-le", "utf-16le"),
        (b"\xfe\xff", "utf-16-be", "utf-16be"),
    ],
)
def test_a_byte_order_mark_decides_against_any_declaration(
    mark: bytes, codec: str, name: str
) -> None:
    text = f'<meta charset="shift_jis"><p>{JA}</p>'
    decoded = decode(mark + text.encode(codec))
    assert decoded is not None
    assert (decoded.text, decoded.encoding, decoded.warnings) == (text, name, ())


def test_what_is_damaged_under_a_byte_order_mark_is_replaced_and_counted() -> None:
    decoded = decode(b"\xef\xbb\xbf" + "<p>日本".encode() + b"\xff\xff" + "語</p>".encode())
    assert decoded is not None
    assert body(decoded.text) == "日本\ufffd\ufffd語"
    assert "2 characters" in decoded.warnings[0]


# --- no declaration -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [
        *CJK,
        ("windows-1252", "cp1252", FR),
        ("windows-1252", "cp1252", SPRING["fr"]),
        ("windows-1252", "cp1252", TAXES["fr"]),
        ("windows-1252", "cp1252", LIBRARY["de"]),
        ("windows-1251", "cp1251", RU),
        ("utf-8", "utf-8", JA),
    ],
)
def test_an_undeclared_encoding_is_detected(name: str, codec: str, text: str) -> None:
    decoded = decode(page(text * 2, codec))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (text * 2, name)


@pytest.mark.parametrize(("name", "codec"), [("shift_jis", "cp932"), ("euc-jp", "euc_jp")])
@pytest.mark.parametrize(
    "text",
    [
        "設定の変え方を説明します。",
        "パスワードを忘れたときは、管理者に聞いてください。",
        "バックアップの取り方と、元に戻す方法をまとめました。",
        "米を研いで三十分ほど水に浸し、土鍋に入れて強火にかけます。",
    ],
)
def test_one_japanese_sentence_is_enough(text: str, name: str, codec: str) -> None:
    decoded = decode(f"<p>{text}</p>".encode(codec))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (text, name)


@pytest.mark.parametrize(
    "text",
    [
        "如何更改端口号，忘记密码时怎么办。",
        "这个页面说明如何检查端口号以及忘记密码时的处理办法。",
        "先把大米淘洗干净，用清水浸泡半小时，再放进砂锅。",
        "肾功能不全的患者服药前须咨询医师。",
    ],
)
def test_a_chinese_sentence_is_not_taken_for_korean(text: str) -> None:
    decoded = decode(f"<p>{text}</p>".encode("gb18030"))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (text, "gb18030")


def test_detection_is_told_of() -> None:
    decoded = decode(page(JA, "euc_jp"))
    assert decoded is not None
    assert decoded.warnings == ("encoding: not declared; read as euc-jp by detection",)


# --- wrong declarations ---------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["shift_jis", "euc-jp", "euc-kr", "gb2312", "big5", "iso-8859-1"])
@pytest.mark.parametrize("text", [JA, KO, ZH, FR], ids=["ja", "ko", "zh", "fr"])
def test_bytes_that_are_utf_8_are_read_so_and_the_declaration_is_warned_of(
    text: str, label: str
) -> None:
    decoded = decode(page(text, "utf-8", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (text, "utf-8")
    assert len(decoded.warnings) == 1


@pytest.mark.parametrize(
    "label", ["iso-8859-1", "latin-1", "windows-1252", "us-ascii", "iso-8859-15", "utf-8"]
)
@pytest.mark.parametrize(("name", "codec", "text"), EIGHT_BIT)
def test_a_template_that_says_latin_or_utf_8_does_not_garble_the_text(
    name: str, codec: str, text: str, label: str
) -> None:
    decoded = decode(page(text, codec, label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (text, name)
    assert len(decoded.warnings) == 1


NEIGHBOURS = [
    pytest.param(label, *case.values, id=f"{case.id}-says-{label}")
    for case in EIGHT_BIT
    for label in ("shift_jis", "euc-jp", "euc-kr", "gb2312", "big5")
    if label != case.values[0] and (label, case.values[0]) != ("gb2312", "gb18030")
]


@pytest.mark.parametrize(("label", "name", "codec", "text"), NEIGHBOURS)
def test_the_label_of_a_neighbour_never_garbles_without_a_warning(
    label: str, name: str, codec: str, text: str
) -> None:
    decoded = decode(page(text, codec, label))
    assert (
        decoded is None
        or (body(decoded.text), decoded.encoding) == (text, name)
        or decoded.warnings
    )


@pytest.mark.parametrize(
    ("label", "codec", "name"),
    [("shift_jis", "euc_jp", "euc-jp"), ("euc-jp", "cp932", "shift_jis")],
)
def test_the_two_japanese_encodings_are_told_apart_when_the_label_is_the_others(
    label: str, codec: str, name: str
) -> None:
    decoded = decode(page(JA, codec, label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (JA, name)
    assert decoded.warnings == (f"encoding: declared {label}; read as {name} by detection",)


@pytest.mark.parametrize("label", ["", "shift_jis"])
@pytest.mark.parametrize(
    "text",
    [
        "ポートのかえかたと、もどしかた。",
        "この節では時間の設定をまとめた。",
        "アプリの設定とバックアップ。",
    ],
)
def test_euc_jp_whose_bytes_are_also_half_width_katakana_is_euc_jp(text: str, label: str) -> None:
    decoded = decode(page(text * 3, "euc_jp", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (text * 3, "euc-jp")


def test_half_width_katakana_in_a_page_that_says_so_stay() -> None:
    text = f"ﾊﾞｯｸｱｯﾌﾟのﾌｫﾙﾀﾞ {JA}"
    decoded = decode(page(text, "cp932", "shift_jis"))
    assert decoded is not None
    assert (body(decoded.text), decoded.warnings) == (text, ())


@pytest.mark.parametrize(
    "text", [FR, SPRING["fr"], TAXES["fr"], LIBRARY["de"]], ids=["fr", "fr-2", "fr-3", "de"]
)
@pytest.mark.parametrize("label", ["utf-8", "latin-1"])
def test_latin_letters_under_a_label_of_utf_8_or_of_none_are_read(label: str, text: str) -> None:
    decoded = decode(page(text * 2, "cp1252", label))
    assert decoded is not None
    assert (body(decoded.text), decoded.encoding) == (text * 2, "windows-1252")
    assert len(decoded.warnings) == 1


# --- damage ---------------------------------------------------------------------------------------

CUT = [*EIGHT_BIT, pytest.param("utf-8", "utf-8", JA, id="utf-8")]


@pytest.mark.parametrize(("label", "codec", "text"), CUT)
def test_a_file_cut_inside_a_character_loses_that_character_only(
    label: str, codec: str, text: str
) -> None:
    last = next(char for char in reversed(text) if len(char.encode(codec)) > 1)
    whole = text[: text.rindex(last)]
    data = f'<meta charset="{label}"><p>'.encode() + (whole + last).encode(codec)
    decoded = decode(data[:-1])
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (f'<meta charset="{label}"><p>{whole}', label)
    assert decoded.warnings == (f"encoding: {label} text that ends inside a character",)


def test_an_undeclared_utf_8_file_cut_inside_a_character_is_still_utf_8() -> None:
    decoded = decode(f"<p>{JA}".encode()[:-2])
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (f"<p>{JA[:-1]}", "utf-8")


@pytest.mark.parametrize(("label", "codec", "text"), CUT)
def test_a_few_damaged_characters_are_replaced_and_counted(
    label: str, codec: str, text: str
) -> None:
    start, end = page(text * 3, codec, label).split(b"</p>")
    decoded = decode(start + b"\xff" + end)
    assert decoded is not None
    assert decoded.encoding == label
    assert body(decoded.text + "</p>").startswith(text * 3 + "\ufffd")
    assert "1 characters" in decoded.warnings[0]


def test_a_replacement_character_that_the_writer_wrote_is_not_a_fault() -> None:
    decoded = decode(page("文字化けは \ufffd と見えます", "utf-8", "utf-8"))
    assert decoded is not None
    assert (body(decoded.text), decoded.warnings) == ("文字化けは \ufffd と見えます", ())


def test_bytes_that_are_text_in_no_encoding_give_nothing() -> None:
    assert decode(b'<meta charset="utf-8"><p>' + bytes(range(128, 256)) * 10) is None


@pytest.mark.parametrize("control", [*range(1, 9), *range(14, 32), 127])
def test_control_characters_are_not_text(control: int) -> None:
    decoded = decode(f"<p>前{chr(control)}後</p>".encode())
    assert decoded is not None
    assert (decoded.text, decoded.warnings) == ("<p>前後</p>", ())


def test_white_space_is_text() -> None:
    decoded = decode(b"<p>\t\n\x0b\x0c\r x</p>")
    assert decoded is not None
    assert body(decoded.text) == "\t\n\x0b\x0c\r x"


@settings(
    deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(
    head=st.sampled_from(
        [
            b"",
            b"\xef\xbb\xbf",
            b"\xff\xfe",
            b"\xfe\xff",
            *(page("", "ascii", c[0]) for c in ENCODINGS),
        ]
    ),
    rest=st.binary(max_size=60),
)
def test_a_replacement_character_is_never_silent(head: bytes, rest: bytes) -> None:
    decoded = decode(head + rest)
    assert (
        decoded is None
        or "\ufffd" not in decoded.text
        or decoded.warnings
        or b"\xef\xbf\xbd" in rest
    )


# --- round trips ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "codec", "letters"),
    [
        ("utf-8", "utf-8", st.characters(exclude_categories=["Cs", "Cc"])),
        (
            "shift_jis",
            "cp932",
            st.characters(codec="cp932", min_codepoint=0x3041, max_codepoint=0x9FFF),
        ),
        (
            "euc-jp",
            "euc_jp",
            st.characters(codec="euc_jp", min_codepoint=0x3041, max_codepoint=0x9FFF),
        ),
        (
            "iso-2022-jp",
            "iso2022_jp",
            st.sampled_from("あいうえおかがきぎアイウエオ章節項早見表設定電池ab1<&"),
        ),
        (
            "euc-kr",
            "cp949",
            st.characters(codec="cp949", min_codepoint=0xAC00, max_codepoint=0xD7A3),
        ),
        (
            "gb2312",
            "gb18030",
            st.characters(codec="gb18030", min_codepoint=0x4E00, max_codepoint=0x9FFF),
        ),
        ("big5", "big5", st.characters(codec="big5", min_codepoint=0x4E00, max_codepoint=0x9FFF)),
        ("windows-1252", "cp1252", st.sampled_from("abcdefghijklmnopqrstuvwxyzàéîöüß€“” ")),
    ],
    ids=["utf-8", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gb2312", "big5", "windows-1252"],
)
def test_what_is_written_in_an_encoding_is_read_back(
    label: str, codec: str, letters: st.SearchStrategy[str]
) -> None:
    natural = {"euc-kr": KO, "gb2312": ZH, "big5": TW, "windows-1252": FR}.get(label, JA)

    @settings(deadline=None, max_examples=25, derandomize=True)
    @given(st.text(letters, max_size=40))
    def written_and_read(text: str) -> None:
        decoded = decode(page(natural + text, codec, label))
        assert decoded is not None
        assert (body(decoded.text), decoded.warnings) == (natural + text, ())

    written_and_read()
