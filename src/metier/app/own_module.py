"""Under which name is a file of yours loaded?

Under the one by which your own programs import it: what they put on the record names agents and skills by their module, and
whoever goes on with it must find them there. A name that is taken by something else is left alone.
"""

import os
import sys
from importlib import import_module, invalidate_caches
from importlib.util import find_spec

from ..errors import SetupError
from .choosing import named_in


def own_name(path: str) -> tuple[str, str]:
    """The folder to import from and the dotted name of a file: folders with an `__init__.py` are packages."""
    folder, file = os.path.split(os.path.abspath(path))
    parts = [file.partition(".")[0]]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    return folder, ".".join(parts)


def named_in_own(path: str, name: str) -> object:
    """What a name stands for in a file of yours; none where it holds no such name. What lies beside the file can be imported.

    Raises:
        SetupError: it is no Python file, or fails.
    """
    folder, module = own_name(path)
    if folder not in sys.path:
        sys.path.append(folder)  # at the end: nothing that lies there stands in the way of anything else
        invalidate_caches()
    if not path.endswith(".py") or not _is_own(module, folder):
        return named_in(path, name)
    try:
        found = import_module(module)
    except (Exception, SystemExit) as error:
        raise SetupError(f"{path} failed: {type(error).__name__}: {error}.", hint="Mend the file.") from error
    return getattr(found, name, None) if _is_file(found.__file__, path) else named_in(path, name)


def _is_own(module: str, folder: str) -> bool:
    """Whether the name leads into this folder, and to nothing else that can be imported."""
    top = module.partition(".")[0]
    if not all(part.isidentifier() for part in module.split(".")):
        return False
    try:
        spec = find_spec(top)
    except ValueError:  # a module without a spec, such as the program that runs
        return False
    inside = (os.path.join(folder, f"{top}.py"), os.path.join(folder, top, "__init__.py"))
    return spec is not None and any(_is_file(spec.origin, one) for one in inside)


def _is_file(one: str | None, other: str) -> bool:
    return one is not None and os.path.isfile(one) and os.path.isfile(other) and os.path.samefile(one, other)
