"""Writes the notebooks: python notebooks/make.py."""

from __future__ import annotations

import pathlib

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HERE = pathlib.Path(__file__).parent

NOTEBOOKS = {
    "profile.ipynb": [
        "# Profile a table and compare two\n\nA profile shows every column of a table in one pass: types, missing and "
        "distinct values, range, quantiles and the most frequent values. Columns with up to 8,192 distinct values are "
        "exact; others have error bars.",
        "import crivo, polars as pl\n"
        "visits = pl.read_csv('../../../examples/sample/visits.csv')\n"
        "p = crivo.profile(visits)\np",
        "p.column('ms')['distinct'], p.column('ms')['median']",
        "A profile is a sketch: it can be saved, merged and compared. Here the second half of the table is slower "
        "than the first.",
        "half = len(visits) // 2\n"
        "before = crivo.profile(visits[:half])\n"
        "after = crivo.profile(visits[half:].with_columns(pl.col('ms') * 3))\n"
        "drift = after.compare(before)\ndrift",
        "assert 'ms' in drift.changed and 'country' not in drift.changed\n"
        "drift.table().to_polars().filter(pl.col('significant'))",
        "The halves merge to the profile of the whole, if nothing was changed.",
        "whole = crivo.merge([before, crivo.profile(visits[half:])])\n"
        "assert whole.rows == p.rows\nwhole",
    ],
    "deduplicate.ipynb": [
        "# Deduplicate a corpus\n\nTwo texts are near-duplicates if their sets of shingles, runs of three words, have "
        "most shingles in common. All pairs are found with a stated probability and verified on the sets.",
        "import random, crivo\n"
        "random.seed(1)\n"
        "words = [f'word{i}' for i in range(2000)]\n"
        "texts = [' '.join(random.choices(words, k=80)) for _ in range(2000)]\n"
        "texts += [text.replace('word7', 'changed', 1) for text in texts[:200]]",
        "pairs = crivo.near_duplicates(texts, threshold=0.8)\nlen(pairs), pairs.to_rows()[:3]",
        "Every text that was copied is found with its copy.",
        "found = set(zip(pairs['first'], pairs['second']))\n"
        "assert sum((i, 2000 + i) in found for i in range(200)) >= 195",
        "Keep the first text of each pair.",
        "dropped = set(pairs['second'])\n"
        "kept = [text for place, text in enumerate(texts) if place not in dropped]\n"
        "len(texts), len(kept)",
    ],
    "users-per-group.ipynb": [
        "# Count distinct users per group and merge days\n\nA sketch of each country and day is a few kilobytes. The "
        "sketches of the days merge to the sketch of the week, which no list of daily counts can tell.",
        "import crivo, polars as pl\n"
        "visits = pl.read_csv('../../../examples/sample/visits.csv')\n"
        "visits = visits.with_columns(day=pl.col('time').str.slice(0, 10))\n"
        "days = {name: crivo.group(day, by='country', item='user').to_polars()\n"
        "        for (name,), day in visits.group_by('day', maintain_order=True)}\n"
        "next(iter(days.values())).drop('sketch').head()",
        "week = (pl.concat(days.values()).group_by('country', maintain_order=True)\n"
        "        .agg(pl.col('sketch'), daily=pl.col('estimate').sum()))\n"
        "merged = [crivo.merge(sketches).estimate() for sketches in week['sketch']]\n"
        "week = week.drop('sketch').with_columns(users=pl.Series([e.value for e in merged]),\n"
        "    lower=pl.Series([e.lower for e in merged]), upper=pl.Series([e.upper for e in merged]))\n"
        "week.head()",
        "The true numbers lie in the intervals.",
        "true = dict(visits.drop_nulls(['country', 'user']).group_by('country').agg(pl.col('user').n_unique()).rows())\n"
        "inside = [row['lower'] <= true[row['country']] <= row['upper'] for row in week.rows(named=True)]\n"
        "assert sum(inside) >= 0.8 * len(inside)\nsum(inside), len(inside)",
    ],
}


def main() -> None:
    for name, cells in NOTEBOOKS.items():
        made = new_notebook()
        for place, text in enumerate(cells):
            # A sentence is prose; anything else is code.
            is_prose = text.startswith("# ") or text.endswith(".") and "=" not in text and "(" not in text
            cell = (new_markdown_cell if is_prose else new_code_cell)(text)
            cell["id"] = f"cell{place}"
            made.cells.append(cell)
        made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.validate(made)
        nbformat.write(made, HERE / name)


if __name__ == "__main__":
    main()
