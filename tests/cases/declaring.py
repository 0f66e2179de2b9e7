"""How is the Python code of a case declared?"""

import importlib.util
import sys
from types import ModuleType

from .case import Case


def module_of(case: Case, name: str) -> ModuleType:
    """A file of the case as a module, which is known by its name while and after it is loaded."""
    path = case.folder / "in" / name
    spec = importlib.util.spec_from_file_location(f"case_{case.id}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module
