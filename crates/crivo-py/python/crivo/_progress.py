"""Progress of long calls, in a terminal and in a notebook."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

# A call that ends sooner shows nothing.
_QUIET_SECONDS = 0.5


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules


class _Terminal:
    """A line of standard error that is written again and again."""

    def __init__(self) -> None:
        self._width = 0

    def show(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class _Notebook:
    """An output of the cell that is replaced, and empty in the end."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str) -> None:
        content = {"text/plain": text}
        if self._handle is None:
            from IPython.display import display

            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


@contextlib.contextmanager
def progress(wanted: bool | None, total: int | None, what: str) -> Iterator[Callable[[int], None] | None]:
    """Show how much of ``total`` is done: a share, or a number of ``what`` if the total is unknown.

    Parameters
    ----------
    wanted : bool or None
        Whether to show it; ``None`` shows it in a terminal and in a notebook.
    total : int or None
        What there is to do.
    what : str
        What is counted.
    """
    if wanted is None:
        wanted = _in_notebook() or sys.stderr.isatty()
    if not wanted:
        yield None
        return
    place: _Terminal | _Notebook = _Notebook() if _in_notebook() else _Terminal()
    start, shown = time.monotonic(), ""

    def tell(done: int) -> None:
        nonlocal shown
        if time.monotonic() - start < _QUIET_SECONDS:
            return
        text = f"crivo: {min(100, 100 * done // total)} %" if total else f"crivo: {done:,} {what}"
        if text != shown:
            shown = text
            place.show(text)

    try:
        yield tell
    finally:
        place.close()
