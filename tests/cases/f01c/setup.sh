#!/bin/sh
# usage: sh setup.sh TARGET_DIR
set -e
here=$(dirname "$0")
mkdir -p "$1/docs/x" "$1/docs/.hidden"
for name in "two words.html" "50%.html" "c#.html" "CAPS.HTML" "same.html" "same.htm" "x/index.html" "index.html" "日本語.xhtml" "notes.txt" "$(printf 'bad\377.html')"
do cp "$here/a.html" "$1/docs/$name"; done
