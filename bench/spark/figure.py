"""Draws the figure of the guide's chapter "Beyond one machine", and computes its example of 10¹² rows from measured parts.

    python bench/spark/figure.py docs/bench/2026-11-19-spark.json docs/guide/images/spark.svg
"""

from __future__ import annotations

import json
import math
import pathlib
import sys
from typing import Any

ROWS, EXECUTORS, CORES, PER_TASK, SHUFFLE = 10**12, 1_000, 8, 10**7, 200


def simulated(found: dict[str, Any]) -> list[tuple[str, str]]:
    """What 10¹² rows on 1,000 executors of 8 cores take in Python, if each core is as fast as one here."""
    sketches = [name.removesuffix("_bytes") for name in found["parts"] if name.endswith("_bytes")]
    size = sum(found["parts"][f"{name}_bytes"] for name in sketches)
    merge = sum(found["parts"][f"{name}_merge_seconds"] for name in sketches)
    per_core = 10**6 / found["parts"]["five_cpu_seconds"]
    tasks = math.ceil(ROWS / PER_TASK)
    waves = math.ceil(tasks / (EXECUTORS * CORES))
    branch = math.ceil(tasks / SHUFFLE)
    return [
        ("tasks of 10⁷ rows", f"{tasks:,}"),
        ("sketches of a task", f"{size / 1000:,.1f} kB"),
        ("Python in the scan", f"{waves} waves of {PER_TASK / per_core:,.1f} s"),
        ("shuffled", f"{(tasks + SHUFFLE) * size / 1e9:,.2f} GB"),
        ("merges one after the other", f"{branch} in each of {SHUFFLE} tasks, then {SHUFFLE} in one"),
        ("time of all merges", f"{(branch + SHUFFLE) * merge:,.2f} s"),
        ("to the driver", f"{size / 1000:,.1f} kB, in one row"),
    ]


def box(x: int, y: int, width: int, height: int, kind: str, lines: list[str]) -> str:
    middle, first = x + width // 2, y + height // 2 - 8 * (len(lines) - 1) + 5
    texts = "".join(f'<text x="{middle}" y="{first + 16 * at}">{line}</text>' for at, line in enumerate(lines))
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>{texts}'


def arrow(x: int, y: int, to_x: int, to_y: int) -> str:
    return f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" marker-end="url(#tip)"/>'


def drawn(found: dict[str, Any]) -> str:
    size = sum(value for name, value in found["parts"].items() if name.endswith("_bytes"))
    parts, heights = [], [20, 100, 180, 260]
    for y in heights:
        parts += [box(10, y, 130, 50, "rows", ["rows of a task", "10⁷ or more"])]
        parts += [arrow(140, y + 25, 186, y + 25)]
        parts += [box(190, y, 130, 50, "sketch", ["five sketches", f"{size / 1000:.0f} kB"])]
    for at, y in enumerate((60, 220)):
        parts += [arrow(320, heights[2 * at] + 25, 396, y + 18), arrow(320, heights[2 * at + 1] + 25, 396, y + 32)]
        parts += [box(400, y, 120, 50, "sketch", ["merged", f"{size / 1000:.0f} kB"]), arrow(520, y + 25, 576, 160 + 10 * (2 * at - 1) + 5)]
    parts += [box(580, 140, 110, 50, "sketch", ["merged", f"{size / 1000:.0f} kB"]), arrow(690, 165, 726, 165)]
    parts += [box(730, 140, 80, 50, "rows", ["driver", "one row"])]
    labels = ((75, "the scan"), (255, "one pass per task"), (460, "shuffle of sketches"), (635, "last merge"))
    parts += [f'<text class="label" x="{x}" y="340">{text}</text>' for x, text in labels]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 352" role="img" '
        'aria-label="Each task makes sketches of its rows; the sketches are merged in a tree">'
        "<style>text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1b2733}.label{fill:#6b7885}"
        ".rows{fill:#eef1f4;stroke:#8796a5}.sketch{fill:#dcebf7;stroke:#2f6f9f}line{stroke:#6b7885}</style>"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#6b7885"/></marker></defs>'
        f'<rect width="820" height="352" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def main() -> None:
    found = json.loads(pathlib.Path(sys.argv[1]).read_text())
    pathlib.Path(sys.argv[2]).write_text(drawn(found))
    print("| part | 10¹² rows on 1,000 executors of 8 cores |\n|---|---|")
    for name, value in simulated(found):
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
