"""``python -m hayami``: the command line, where its script is not on the path."""

from hayami.cli import main

main()
