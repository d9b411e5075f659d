"""Rounds of edits with real builds; ``tests/verdict_edits.py`` plays a hundred."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "verdict_edits.py"


def test_no_verdict_moves_to_another_section_in_rounds_of_edits() -> None:
    ran = subprocess.run(
        [sys.executable, SCRIPT, "--rounds", "4"], capture_output=True, text=True, check=True
    )
    wrong = [int(n) for n in re.findall(r"(\d+) applied to something else", ran.stdout)]
    right = [int(n) for n in re.findall(r"(\d+) applied to what was judged", ran.stdout)]
    assert wrong[0] > 0, "the rounds hold what names alone get wrong"
    assert wrong[1] == 0
    assert right[1] >= 0.9 * right[0], "and hardly a verdict is lost"
