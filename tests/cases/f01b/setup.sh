#!/bin/sh
# usage: sh setup.sh TARGET_DIR
set -e
here=$(dirname "$0")
mkdir -p "$1/real/one" "$1/real/two" "$1/real/page.html" "$1/outside"
cp "$here/a.html" "$1/real/one/a.html"
cp "$here/b.html" "$1/outside/b.html"
cp "$here/b.html" "$1/real/page.html/c.htm"
ln -s ../two "$1/real/one/two"
ln -s ../one "$1/real/two/one"
ln -s ../outside "$1/real/outside"
ln -s ../outside/b.html "$1/real/b.html"
ln -s loop.html "$1/real/loop.html"
ln -s real "$1/docs"
