"""The door for `metier` and `python -m metier`."""

from .cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
