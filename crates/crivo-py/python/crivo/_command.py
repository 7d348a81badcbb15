"""The command ``crivo``, run by the code of the module."""

from __future__ import annotations

import sys

from . import _crivo


def main() -> None:
    """Do what the command line asks."""
    sys.stdout.flush()
    sys.exit(_crivo._command(["crivo", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
