"""Finding the article files of a build and giving each its id."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from hayami.errors import ExtraError, HayamiError, SourceError
from hayami.evalset.records import Reason
from hayami.extract.readers import Leaf, Reader, reader_of, suffixes
from hayami.extract.readers.html import READER as HTML
from hayami.extras import need
from hayami.parts import Unreadable

_UNSAFE: Final = re.compile(r'[\s%#"\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\ufeff\ud800-\udfff]')


@dataclass(frozen=True, slots=True)
class SourcePage:
    """The HTML of one article, and where it comes from."""

    path: str
    """The file relative to its source folder, with ``/``; of one of many, with its path inside the
    file."""
    id: str
    html: bytes
    source: bytes
    """The bytes that the HTML was made of, or it itself: what the article's hash is of."""
    served: tuple[str, ...] = ()
    """Where the page stands on the site that is built of the file, relative to the source folder.

    First that which its
    links are written for. Empty if the file is the page."""
    warnings: tuple[str, ...] = ()
    """What of the file could not be read."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read.

    Where it is, its path relative to the source (with ``/``), and the id of its article.
    """

    file: str
    path: str
    id: str
    """The id of its article; if it holds many, the folder that their ids begin with."""

    def read(self, most: int) -> Iterator[SourcePage | Unreadable]:
        """Every article of the file; ``most`` are the bytes that a file of one article may have.

        A file that cannot be read, or not to its end, is one that is unreadable.
        """
        reader = _reader(self.path)
        try:
            with open(self.file, "rb") as file:  # noqa: PTH123 - a name of any bytes
                size = os.fstat(file.fileno()).st_size
                if size > most and not reader.many:
                    detail = f"{size:,} bytes; see the setting max_page_bytes"
                    yield self._refused(Reason.TOO_LARGE, detail)
                    return
                if reader.extra is not None:
                    need(reader.extra)
                yield from self._pages(reader.to_html(file))
        except OSError as error:
            yield self._refused(Reason.UNREADABLE, error.strerror or str(error))
        except ExtraError as error:
            yield self._refused(Reason.UNREADABLE, f"{error.what}; {error.hint}")
        except HayamiError as error:
            yield self._refused(Reason.UNREADABLE, error.what)

    def _pages(self, leaves: Iterable[Leaf]) -> Iterator[SourcePage]:
        taken: set[str] = set()
        for leaf in leaves:
            path, article = self.path, self.id
            if leaf.inside:
                path = f"{self.path}/{_text_path(leaf.inside)}"
                article = _free_id(path, taken)
                taken.add(article)
            served = () if leaf.inside else _served(self.path, leaf.addresses)
            source = leaf.source or leaf.html
            yield SourcePage(path, article, leaf.html, source, served, leaf.warnings)

    def _refused(self, reason: Reason, detail: str) -> Unreadable:
        return Unreadable(self.path, self.id, reason, detail)


_FOLDERS_OWN: Final = frozenset(("index", "readme", "_index"))
"""Files that are the page of their folder, where sites are built of files."""


def _served(path: str, said: Sequence[str]) -> tuple[str, ...]:
    """The addresses of the page that is built of a file, if it is no page itself.

    Those that its writer said, its own.
    """
    if _reader(path) is HTML:
        return ()
    folder, name = posixpath.split(_without_suffix(path))
    own = folder if name.lower() in _FOLDERS_OWN else posixpath.join(folder, name)
    addresses = [posixpath.normpath(posixpath.join(f"/{folder}", one)) for one in said]
    closing = ["/" * one.endswith("/") for one in said]
    told = [one.lstrip("/") + end for one, end in zip(addresses, closing, strict=True)]
    return (*told, f"{own}/")


def _reader(name: str) -> Reader:
    """The reader of a file; one that is named and has no suffix of any is HTML."""
    found = reader_of(name)
    return HTML if found is None else found[0]


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a build in the order of their ids, and those that are not to be read."""

    files: tuple[SourceFile, ...]
    rejected: tuple[Unreadable, ...]
    sources: tuple[str, ...]


def _need_sources(given: Sequence[Path]) -> None:
    for source in given:
        if not source.exists():
            hint = "Check the spelling of the path."
            raise SourceError("no such file or folder", where=_shown(source), hint=hint)


def _nothing_in(given: Sequence[Path], closed: Sequence[Unreadable]) -> SourceError:
    where = ", ".join(_shown(source) for source in given)
    hint = f"hayami reads files that end in {_listed(suffixes())}."
    if closed:
        hint = f"The folder {closed[0].path} cannot be listed: {closed[0].detail}."
    return SourceError("no HTML file in it", where=where, hint=hint)


def find_files(sources: Iterable[Path]) -> Found:
    """All HTML files in folders (links to folders are not followed), and files named as such.

    The result does not depend on the order of ``sources``. With several folders, ids begin with the
    folder's name.

    Raises:
        SourceError: a source does not exist, two folders have the same name, or there is no HTML
            file at all.
    """
    given = sorted({Path(os.path.abspath(source)) for source in sources})  # noqa: PTH100 - links are not to be followed
    _need_sources(given)
    roots = _outermost([source for source in given if source.is_dir()])
    closed: list[Unreadable] = []
    files = [
        file for root, prefix in _prefixes(roots).items() for file in _walk(root, prefix, closed)
    ]
    walked = {file.file for file in files}
    named = [source for source in given if not source.is_dir() and str(source) not in walked]
    files += [_named(source, named) for source in named]
    if not files:
        raise _nothing_in(given, closed)
    kept, rejected = _one_each(files)
    _need_any(kept)
    named_files, built = _with_ids(kept)
    return Found(
        tuple(named_files),
        tuple(rejected + built + closed),
        tuple(sorted(_shown(Path(s.name)) for s in given)),
    )


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was found.

    Its path, its path relative to the source, its real place, and whether it is a link.
    """

    file: str
    relative: str
    real: str
    link: bool


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _outermost(folders: list[Path]) -> list[Path]:
    """Folders that lie in no other one of the list, by their real place."""
    real = {folder: folder.resolve() for folder in folders}
    return [f for f in folders if not any(other in real[f].parents for other in real.values())]


def _prefixes(roots: list[Path]) -> dict[Path, str]:
    if len(roots) <= 1:
        return dict.fromkeys(roots, "")
    names: dict[str, Path] = {}
    for root in roots:
        if root.name in names:
            raise SourceError(
                f"two source folders are called {root.name}",
                where=_shown(root),
                hint="Give the folder that holds both.",
            )
        names[root.name] = root
    return {root: f"{root.name}/" for root in roots}


def _walk(root: Path, prefix: str, closed: list[Unreadable]) -> Iterator[_File]:
    """The HTML files below a folder.

    A folder that may not be listed is noted in ``closed``, for all that is in it.

    Its folders are real, so only a link among the files has another real place.
    """
    real_root = os.path.realpath(root)

    def note(error: OSError) -> None:
        below = os.path.relpath(error.filename, root)
        path = _text_path(prefix if below == "." else f"{prefix}{below}/".replace(os.sep, "/"))
        detail = f"a folder that cannot be listed: {error.strerror or error}"
        closed.append(Unreadable(path or "./", _encoded(path or "./"), Reason.UNREADABLE, detail))

    for folder, folders, names in os.walk(root, onerror=note):
        folders.sort()
        below = os.path.relpath(folder, root)
        for name in sorted(names):
            if reader_of(name) is None:
                continue
            path = os.path.join(folder, name)  # noqa: PTH118 - a Path for each file is slow
            relative = name if below == "." else f"{below}/{name}".replace(os.sep, "/")
            link = os.path.islink(path)  # noqa: PTH114 - idem
            real = (
                os.path.realpath(path)
                if link
                else os.path.normpath(os.path.join(real_root, below, name))  # noqa: PTH118
            )
            yield _File(path, prefix + relative, real, link)


def _named(source: Path, all_named: Sequence[Path]) -> _File:
    """A file that was named itself.

    Several are called by their paths below the folder that holds them all.
    """
    parent = os.path.commonpath([other.parent for other in all_named])
    relative = source.relative_to(parent).as_posix()
    return _File(str(source), relative, os.path.realpath(source), source.is_symlink())


def _one_each(files: Sequence[_File]) -> tuple[list[_File], list[Unreadable]]:
    """Files by their real place, each once.

    A link to a file of the build is rejected, the file itself is kept.
    """
    kept: dict[str, _File] = {}
    rejected = []
    for file in sorted(files, key=lambda f: (f.link, f.relative)):
        path, article = _text_path(file.relative), article_id(file.relative)
        if file.real in kept:
            detail = f"a link to {_text_path(kept[file.real].relative)}"
            rejected.append(Unreadable(path, article, Reason.DUPLICATE_FILE, detail))
        elif file.link and not os.path.exists(file.real):  # noqa: PTH110 - a Path for each file is slow
            detail = f"a link to {_shown(Path(file.file).readlink())}, which does not exist"
            rejected.append(Unreadable(path, article, Reason.UNREADABLE, detail))
        elif not os.path.isfile(file.real):  # noqa: PTH113 - idem
            rejected.append(Unreadable(path, article, Reason.UNREADABLE, "not a regular file"))
        else:
            kept[file.real] = file
    return list(kept.values()), rejected


def _text_path(relative: str) -> str:
    """A path that can be written as UTF-8; bytes that are not text are shown as escapes."""
    return relative.encode("utf-8", "backslashreplace").decode()


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def article_id(relative: str) -> str:
    """``a/b.html`` is ``a/b``, ``a/index.html`` is ``a``; what tools trip over is percent-encoded.

    A file of many articles keeps its suffix: its id is the folder of theirs.
    """
    found = reader_of(relative)
    if found is not None and found[0].many:
        return _encoded(relative)
    name = _without_suffix(relative)
    folder, _, last = name.rpartition("/")
    return _encoded(folder if folder and last.lower() == "index" else name)


def _encoded(name: str) -> str:
    return _UNSAFE.sub(lambda m: quote(m[0].encode("utf-8", "surrogateescape")), name)


def _without_suffix(relative: str) -> str:
    found = reader_of(relative)
    suffix = os.path.splitext(relative)[1] if found is None else found[1]  # noqa: PTH122 - a path of either system
    return relative.removesuffix(suffix)


def _need_any(files: Sequence[_File]) -> None:
    """Returns if a file of a build can be read by what is installed.

    Raises:
        ExtraError: no file can.
    """
    extras = [_reader(file.relative).extra for file in files]
    wanted = [extra for extra in extras if extra is not None]
    if wanted and len(wanted) == len(extras):
        need(wanted[0])


def _with_ids(files: Sequence[_File]) -> tuple[list[SourceFile], list[Unreadable]]:
    """Files with ids.

    Where two would share one (``a.html``, ``a.htm``), the later keeps its suffix in the id.

    A file that a page of the build is made of (``a.md`` beside ``a.html``) is the same article
    twice: the page is
    kept.
    """
    taken: dict[str, SourceFile] = {}
    rejected: list[Unreadable] = []
    for file in sorted(files, key=lambda f: (_reader(f.relative) is not HTML, f.relative)):
        same = taken.get(article_id(file.relative))
        path = _text_path(file.relative)
        if same is not None and _reader(same.path) is HTML and _reader(file.relative) is not HTML:
            detail = f"{same.path} is the page of the same article"
            rejected.append(Unreadable(path, f"{same.id}~", Reason.DUPLICATE_FILE, detail))
            continue
        article = _free_id(file.relative, taken)
        taken[article] = SourceFile(file.file, path, article)
    return sorted(taken.values(), key=_order), rejected


def _free_id(relative: str, taken: Collection[str]) -> str:
    """The id of an article that no other one has."""
    article = article_id(relative)
    if article in taken:
        article = _encoded(relative)
    while article in taken:
        article += "~"
    return article


def _order(file: SourceFile) -> str:
    """What files are sorted by, so that all articles come in the order of their ids."""
    return f"{file.id}/" if _reader(file.path).many else file.id
