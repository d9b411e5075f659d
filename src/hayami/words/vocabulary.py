"""The words that hayami knows by language: table headers, headings left out, placeholders, decorations.

All are data and settable. Header words are patterns as in a shell (``*`` stands for any text),
compared with the folded cell text as a whole, so that ``節`` alone is a header and 小節 (a bar of
music) is not.
"""

from __future__ import annotations

from typing import Final

# One word a line would be 400 lines.
# fmt: off
QUESTION_HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "ja": (
        "知りたい*", "*質問*", "*疑問*", "やりたいこと", "*したいこと", "*困った*", "*困っている*", "*困りごと*",
        "お困り*", "*悩み*", "調べたい*", "聞きたい*", "確認したい*", "探している*", "問い", "問", "こんなとき*",
        "こんな時*", "こんな場合*", "*したいとき", "目的", "目的別*", "症状", "現象", "起きていること", "状況",
        "シーン", "利用シーン", "ケース", "課題", "相談内容", "トラブル", "トラブルの*",
        "エラー", "エラーの*", "*エラーメッセージ*",
    ),
    "en": (
        "question", "questions", "question *", "* question", "* questions", "what you want to *",
        "what do you want*", "i want to*", "you want to*", "want to*", "problem", "q", "how do i*", "if you want*",
        "looking for*", "your question*", "task", "goal", "your goal", "use case", "use-case", "issue", "symptom",
        "symptoms", "scenario", "situation", "objective", "need", "what you need*", "what do you need*",
        "if you need*", "i need to*", "when you want*", "how can i*", "to do this", "faq",
    ),
    "ko": (
        "질문*", "*질문", "알고 싶은*", "알고싶은*", "궁금한*", "하고 싶은*", "하고싶은*", "찾는 것", "찾는 내용",
        "문제", "문제 상황", "증상", "이럴 때*", "목적", "상황", "하려는 일", "하려는 것", "원하는 것", "원하는 작업",
        "필요한 것", "고민*",
    ),
    "zh": (
        "问题", "问题*", "*问题", "疑问", "想知道*", "想了解*", "想做*", "您想*", "你想*", "問題", "想知道的*",
        "想查*", "想要*", "我想*", "如果你想*", "如果您想*", "需求", "目的", "症状", "场景", "使用场景", "情况", "困惑",
    ),
}

SITUATIONS: Final[tuple[str, ...]] = (
    "目的*", "症状", "現象", "起きていること", "状況", "*シーン", "ケース", "課題", "トラブル*", "エラー*",
    "task", "goal", "your goal", "use case", "use-case", "issue", "symptom", "symptoms", "scenario", "situation",
    "objective", "need", "problem", "문제 상황", "증상", "목적", "상황", "고민*", "需求", "*场景", "情况",
)
"""Question headers that name a situation: beside a column of questions in words theirs is one of groups."""

ANSWER_HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "ja": (
        "*答え*", "答", "*回答*", "*結論*", "方法", "*対処*", "*解決*", "要点", "*ひとこと*", "一言*", "概要",
        "やり方", "早わかり", "ポイント", "説明", "内容",
    ),
    "en": (
        "*answer*", "how", "*in short*", "*summary*", "tl;dr", "solution", "fix", "a", "in brief", "what to do",
        "short", "description", "purpose",
    ),
    "ko": (
        "*답*", "*답변*", "*결론*", "방법", "해결*", "요약", "한 줄*", "한줄*", "설명", "내용",
    ),
    "zh": (
        "*答案*", "*回答*", "简答", "*结论*", "方法", "解决*", "要点", "简要*", "做法", "一句话*", "說明", "说明",
        "答",
    ),
}

REFERENCE_HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "ja": (
        "章", "節", "項", "章・節", "章/節", "*い章", "*い節", "*い項", "*の章", "*の節", "*る章", "*る節", "*た章",
        "*た節", "*章番号", "*節番号", "*見出し*", "詳細", "詳細*", "*の詳細", "詳しく", "詳しくは*", "詳しい説明*",
        "詳しい解説*", "詳しい場所", "詳しい箇所", "参照", "*参照*", "該当*", "*セクション*", "*リンク", "解説箇所",
        "解説先", "解説ページ", "説明箇所", "読む場所", "見る場所", "読むところ", "見るところ", "*む章", "*む節",
        "読むべき*", "見るべき*", "*記載箇所", "*記載場所", "*掲載箇所", "*掲載場所", "掲載章", "掲載節", "関連章",
        "関連節", "関連箇所", "参考箇所", "*の該当箇所", "*リンク先", "ジャンプ", "ジャンプ先", "移動先",
        "どこに書いて*", "くわしく*", "本文",
    ),
    "en": (
        "section", "sections", "* section", "section *", "sections *", "chapter", "chapters", "* chapter",
        "chapter *", "see", "see also", "see section*", "details", "* details", "detail", "detailed*", "more",
        "read more*", "where", "where *", "heading", "* heading", "reference", "references", "link", "links",
        "more information", "more info", "go to", "jump to", "read", "read about*", "read this*", "covered in",
        "find it in", "found in", "* explained in", "explained in", "discussed in", "described in", "documented in",
    ),
    "ko": (
        "장", "절", "*는 장", "*는 절", "*한 절", "*한 장", "*해당 장", "*해당 절", "*설명 장", "*책의 장",
        "*책의 대응", "자세한*", "자세히*", "*보는 곳", "*볼 곳", "*볼 장", "*볼 절", "*다루는 곳", "*옮길 곳",
        "읽을 곳", "읽을 장", "읽을 절", "바로가기", "바로 가기", "본문 위치", "설명 위치", "문서 위치", "이동",
        "*섹션*", "*참고*", "*참조*", "*관련 장", "*관련 절", "본문", "상세*", "제목", "*항목 위치", "*링크",
    ),
    "zh": (
        "章", "节", "章节", "*章节*", "详见*", "详细*", "*详情", "参见*", "参考章*", "参考节*", "*的章", "*的节",
        "小节", "*小节", "见", "阅读", "跳转", "跳转到", "所在位置", "正文位置", "文中位置", "所在章*", "所在节*",
        "*标题", "詳見*", "詳細*", "章節", "*章節*", "對應章*", "对应章*", "*链接",
    ),
}

EXCLUDED_HEADINGS: Final[dict[str, tuple[str, ...]]] = {
    "ja": (
        "よくある質問", "よくある質問と回答", "よくあるご質問", "よくある疑問", "faq", "q&a", "質問と回答",
        "まとめ", "おわりに", "終わりに", "最後に", "さいごに", "結論", "総括", "参考", "参考文献", "参考資料",
        "参考リンク", "参考・出典", "参考文献・出典", "出典", "参照", "参照リンク", "引用元", "関連記事", "関連",
        "関連項目", "関連リンク", "関連情報", "関連ページ", "あわせて読みたい", "脚注", "注釈", "目次", "次に読む",
        "よくある質問q&a", "よくある疑問q&a", "本記事のまとめ", "この記事のまとめ", "記事のまとめ", "あとがき", "結び",
        "むすび", "おわり", "参考url", "参考サイト", "参考記事", "参考書籍", "参考にした記事", "参考にしたサイト",
        "引用・参考文献", "引用文献", "出典・参考", "参照元", "外部リンク", "関連コンテンツ", "関連する記事",
        "関連エントリー", "合わせて読みたい", "こちらもおすすめ", "おすすめ記事", "おすすめの記事", "人気記事",
        "もくじ", "この記事の目次",
    ),
    "en": (
        "faq", "faqs", "frequently asked questions", "q&a", "questions and answers", "summary", "conclusion",
        "conclusions", "wrap-up", "wrapping up", "in summary", "recap", "references", "reference", "bibliography",
        "sources", "further reading", "see also", "related", "related articles", "related posts", "related pages",
        "related topics", "footnotes", "notes", "table of contents", "contents", "next steps", "common questions",
        "final thoughts", "closing thoughts", "in conclusion", "key takeaways", "takeaways", "tl;dr", "citations",
        "works cited", "more resources", "additional resources", "external links", "related links",
        "related content", "you may also like", "read next", "on this page", "in this article",
    ),
    "ko": (
        "자주 묻는 질문", "자주 묻는 질문(faq)", "자주 하는 질문", "faq", "q&a", "질문과 답변", "정리", "핵심 정리",
        "요약", "마무리", "맺음말", "결론", "마치며", "참고", "참고 자료", "참고자료", "참고 문헌", "참고문헌",
        "출처", "관련 글", "관련글", "관련 문서", "함께 읽을 글", "더 읽을거리", "각주", "목차", "핵심 요약", "끝으로",
        "나가며", "마무리하며", "글을 마치며", "참고 링크", "참고 사이트", "외부 링크", "관련 링크", "관련 기사",
        "함께 보면 좋은 글", "함께 읽기", "같이 보기",
    ),
    "zh": (
        "常见问题", "常见问题解答", "常见疑问", "faq", "q&a", "问与答", "问答", "总结", "小结", "结语", "结论",
        "参考", "参考资料", "参考文献", "参考链接", "出处", "相关文章", "相关阅读", "相关链接", "延伸阅读",
        "扩展阅读", "脚注", "目录", "常見問題", "總結", "參考資料", "參考文獻", "相關文章", "本文总结", "写在最后",
        "最后", "结束语", "后记", "結語", "参考文章", "参考来源", "资料来源", "外部链接", "相关内容", "相关推荐",
        "推荐阅读", "更多阅读", "延伸閱讀", "本文目录",
    ),
}

EXCLUDED_IF_FLAT: Final[tuple[str, ...]] = ("reference",)
"""Excluded headings that are also those of a program's reference, which has headings of its own: then they stay."""

PLACEHOLDERS: Final[tuple[str, ...]] = (
    "なし", "無し", "無", "該当なし", "特になし", "未定", "準備中", "n/a", "na", "none", "nil", "tbd", "tba",
    "없음", "해당 없음", "무", "미정", "无", "暂无", "無此項", "没有",
)
"""Reference cells that say "there is no reference".

Cells of nothing but dashes and symbols mean the same.
"""

GENERIC_TEXTS: Final[tuple[str, ...]] = (
    "こちら", "ここ", "詳細", "詳しく", "くわしく", "詳細はこちら", "詳しくはこちら", "続きを読む", "本文", "以下",
    "下記", "上記", "次の節", "前の節", "参照", "リンク", "here", "click here", "details", "details ...", "more",
    "read more", "link", "see", "see below", "below", "above", "여기", "자세히", "자세히 보기", "더 보기", "상세",
    "링크", "아래", "위", "这里", "此处", "详情", "详细", "更多", "链接", "查看", "下文", "上文",
)
"""Texts that only say "follow the link".

Without a link they name nothing, so no rule but `exact` may use them.
"""
# fmt: on


def words(lists: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The words of all languages in one tuple, in the order of the lists, each once."""
    return tuple(dict.fromkeys(word for language in lists.values() for word in language))
