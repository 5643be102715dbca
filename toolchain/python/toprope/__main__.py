"""`python -m toprope …` is `toprope …`."""

import os
import sys

from .env import program


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
