"""Words of which a name means one: names that have different ones of a group do not mean the same, however alike.

How they are compared is in :mod:`hayami.label.opposites`. Data for people: the words of a group
stand beside each other, between groups is a ``|``. A word can be in several groups.
"""

from __future__ import annotations

from typing import Final


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(group.split())
        for line in text.splitlines()
        for group in line.split("|")
        if group.strip()
    )


CONTRASTS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "ja": _groups(
        """
        有効 無効 | 有料 無料 | 可能 不可 | 自動 手動 | 始め 終わり | 開く 閉じ | 入力 出力 | 送信 受信
        追加 削除 | 作成 削除 | 登録 解除 | 大き 小さ | 新し 古 | 速 遅 | 長 短 | 高 低 | 最初 最後 | 最大 最小
        最新 最古 | インストール アンインストール | マウント アンマウント | アップロード ダウンロード
        アップグレード ダウングレード | インポート エクスポート | ログイン ログアウト | サインイン サインアウト
        オン オフ | オンライン オフライン | エンコード デコード | ロック アンロック | リクエスト レスポンス
        クライアント サーバ | 読み 書き | 許可 禁止 | 許可 拒否 | 表示 非表示 | 圧縮 展開 | 圧縮 解凍
        暗号化 復号 | 成功 失敗 | 開始 停止 | 開始 終了 | 開始 解除 | 起動 停止 | 起動 終了 | 接続 切断
        昇順 降順 | 昇格 降格 | 拡大 縮小 | 増加 減少 | 開発 本番 | 受注 発注 | 入荷 出荷 | 入金 出金
        入社 退社 | 入会 退会 | 加入 脱退 | 購入 売却 | 輸入 輸出 | 国内 海外 | 全角 半角 | 大文字 小文字
        過去 未来 | 必須 任意 | 内部 外部 | 公開 非公開 | 同期 非同期 | 分割 結合 | 縦 横 | 上 下 | 左 右
        前 後 | 増や 減ら | 公開鍵 秘密鍵 | バックアップ リストア | する しない | できる できない
        される されない | 使う 使わない | あり なし | 使用前 使用後 | 以前 以後 | 以前 以降 | 以上 以下
        月曜 火曜 水曜 木曜 金曜 土曜 日曜 | 今年 昨年 去年 来年 明年 | 今月 先月 来月 | 午前 午後
        日次 週次 月次 年次 | 毎日 毎週 毎月 毎年 | 平日 休日 祝日 週末 | 日報 週報 月報 年報
        第一 第二 第三 第四 第五 | 一次 二次 三次 | 個人 法人 団体 | 初級 中級 上級 | 男性 女性 | 親会社 子会社
        主キー 外部キー | 基本 応用 | 新規 既存 | 日本語 英語 中国語 韓国語 フランス語 ドイツ語 スペイン語
        削除 編集 | 削除 設定 | 削除 挿入 | 削除 保存 | 削除 表示 | 削除 変更 | 削除 使用 | 静的 動的
        有線 無線 | 固定 可変 | 単数 複数 | 肯定 否定 | 往路 復路 | 東日本 西日本 | 管理者 利用者
        """
    ),
    "ko": _groups(
        """
        활성 비활성 | 자동 수동 | 입력 출력 | 추가 삭제 | 생성 삭제 | 생성 수정 | 시작 중지 | 시작 종료 | 켜 끄
        최신 오래된 | 처음 마지막 | 내부 외부 | 허용 거부 | 허용 차단 | 설치 제거 | 동기 비동기 | 읽기 쓰기
        업로드 다운로드 | 업그레이드 다운그레이드 | 압축 해제 | 로그인 로그아웃 | 최대 최소 | 오름차순 내림차순
        가져오기 내보내기 | 확대 축소 | 증가 감소 | 이전 이후 | 요청 응답 | 송신 수신 | 보내 받 | 열기 닫기
        잠금 해제 | 연결 해제 | 백업 복원 | 암호화 복호화 | 인코딩 디코딩 | 성공 실패 | 유료 무료 | 필수 선택
        가입 탈퇴 | 시작 끝 | 상위 하위 | 공개키 개인키 | 공개키 비밀키 | 있 없 | 클라이언트 서버 | 구독 취소
        하는 하지 | 되는 되지 | 월요일 화요일 수요일 목요일 금요일 토요일 일요일 | 올해 작년 내년 | 오전 오후
        일간 주간 월간 연간 | 매일 매주 매월 매년 | 평일 휴일 주말 | 첫째 둘째 셋째
        첫번째 두번째 세번째 네번째 | 개인 법인 단체 | 초급 중급 고급 | 남성 여성 | 한국어 영어 일본어 중국어
        삭제 사용 | 삭제 편집 | 삭제 설정 | 삭제 변경 | 삭제 저장 | 제거 사용 | 제거 설정 | 사용자 관리자
        기본키 외래키 | 유선 무선 | 정적 동적
        """
    ),
    "zh": _groups(
        """
        删除 编辑 | 删除 设置 | 删除 修改 | 删除 保存 | 删除 使用 | 启用 禁用 | 启用 停用 | 自动 手动
        输入 输出 | 添加 删除 | 新增 删除 | 创建 删除 | 安装 卸载 | 开始 结束 | 启动 停止 | 启动 关闭
        启动 重启 | 安装 重装 | 打开 关闭 | 开启 关闭 | 上传 下载 | 允许 拒绝 | 允许 禁止 | 同步 异步
        读取 写入 | 备份 恢复 | 备份 还原 | 登录 注销 | 登录 退出 | 登入 登出 | 最大 最小 | 升序 降序
        升级 降级 | 导入 导出 | 放大 缩小 | 连接 断开 | 请求 响应 | 锁定 解锁 | 加密 解密 | 压缩 解压
        编码 解码 | 发送 接收 | 成功 失败 | 增加 减少 | 公钥 私钥 | 客户端 服务器 | 客户端 服务端 | 挂载 卸载
        付费 免费 | 在线 离线 | 必填 选填 | 之前 之后 | 订阅 取消 | 啟用 停用 | 匯入 匯出 | 新增 刪除
        安裝 解除安裝 | 開啟 關閉 | 啟動 停止 | 上傳 下載 | 星期一 星期二 星期三 星期四 星期五 星期六 星期日
        周一 周二 周三 周四 周五 周六 周日 | 上午 下午 | 日报 周报 月报 年报 | 每天 每周 每月 每年
        工作日 周末 节假日 | 个人 企业 团体 | 初级 中级 高级 | 中文 英文 日文 韩文 西文 | 汉语 英语 日语 韩语
        用户 管理员 | 主键 外键 | 静态 动态 | 局域网 广域网
        """
    ),
    "en": _groups(
        """
        enable disable | install uninstall | start stop | open close | read write | input output
        inside outside | before after | add remove | add delete | create delete | create drop | create destroy
        client server | upload download | upgrade downgrade | import export | push pull | encode decode
        encoding decoding | encrypt decrypt | encryption decryption | first last | on off | with without
        public private | sync async | increase decrease | increment decrement | old new | get set | allow deny
        allow block | allow forbid | include exclude | up down | login logout | logon logoff | signin signout
        optin optout | checkin checkout | zoomin zoomout | commit revert | local remote | attach detach
        ascending descending | minimum maximum | min max | request response | parent child | backup restore
        send receive | sender receiver | show hide | expand collapse | internal external | inbound outbound
        incoming outgoing | ingress egress | static dynamic | automatic manual | automatically manually
        success failure | online offline | upstream downstream | uppercase lowercase | horizontal vertical
        left right | top bottom | begin end | beginning end | start end | required optional | free paid
        join leave | lock release | grant revoke | implicit explicit | prefix suffix
        monday tuesday wednesday thursday friday saturday sunday | hourly daily weekly monthly yearly
        row column | http https | java javascript | char varchar | mysql mysqli | sql nosql | type typescript
        git github gitlab | read thread | port report export import support | form format platform | list listen
        """
    ),
}
"""By language.

Latin words of four letters and more stand for their forms too (starting, started).
"""

ALONE: Final = _groups(
    "行 列 | 春 夏 秋 冬 | 朝 昼 夜 | 東 西 南 北 | 男 女 | 행 열 | 봄 여름 가을 겨울"
)
"""Words that count only where they are no part of a longer one: 行 is in 銀行."""

LATIN_PREFIXES: Final = (
    *("un", "non", "dis", "de", "in", "im", "il", "ir", "mis", "anti", "a"),
    *("re", "pre", "post", "sub", "over", "under", "multi"),
)
"""What makes another word of a Latin one: uninstall, reload, preprocessing."""

HAN_PREFIXES: Final = (
    "非",
    "不",
    "未",
    "無",
    "无",
    "再",
    "重",
    "反",
    "逆",
    "重新",
    "取消",
    "再次",
    "停止",
    "禁止",
)
"""The same before a word of Han or katakana, of which the first two characters count."""

HANGUL_PREFIXES: Final = ("비", "미", "불", "부", "무", "재", "반", "역", "탈")
"""The same at the start of a Korean word."""

ENDINGS: Final = ("解除", "取消", "取り消", "キャンセル", "해제", "취소")
"""The same behind a word, の, を or a blank between them or nothing."""
