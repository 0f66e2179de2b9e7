"""Are the folders there that a task works in, and can they be written? None is made to find out."""

import os
import shutil
import tempfile
from collections.abc import Iterator

from ...config import FOLDER_NAME, Settings
from .finding import Finding

NEEDED = os.W_OK | os.X_OK


def about_folders(settings: Settings) -> Iterator[Finding]:
    """The project's folder, `.metier` in it or where the record lies, and the one for temporary files."""
    yield _project(settings.project)
    yield _of_record(settings)
    yield _temporary()


def _project(folder: str) -> Finding:
    if os.access(folder, os.R_OK | os.X_OK):
        return Finding("ok", "project", folder)
    return Finding("wrong", "project", f"{folder} cannot be read", "mend its permissions")


def _of_record(settings: Settings) -> Finding:
    folder = os.path.dirname(settings.record_path)
    what = FOLDER_NAME if os.path.basename(folder) == FOLDER_NAME else "record's folder"
    if os.path.isdir(folder):
        if os.access(folder, NEEDED):
            return Finding("ok", what, f"{folder}, {_free(folder)}")
        return Finding("wrong", what, f"{folder} cannot be written", "mend its permissions, or set METIER_RECORD")
    above = _nearest(folder)
    if os.path.isdir(above) and os.access(above, NEEDED):
        return Finding("ok", what, f"{folder} is not there yet; the first task makes it")
    cure = "mend its permissions, or set METIER_RECORD to a file in a folder of yours"
    return Finding("wrong", what, f"{folder} is not there and cannot be made in {above}", cure)


def _nearest(path: str) -> str:
    """The nearest thing at or above a path that is there."""
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return path


def _temporary() -> Finding:
    # Not tempfile.gettempdir(): it writes a file to find out.
    named = [os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    for folder in filter(None, [tempfile.tempdir, *named, "/tmp", "/var/tmp"]):  # noqa: S108 - where Python looks too
        if os.path.isdir(folder) and os.access(folder, NEEDED):
            return Finding("ok", "temporary", f"{os.path.abspath(folder)}, {_free(folder)}")
    return Finding("wrong", "temporary", "no folder for temporary files can be written", "set TMPDIR to one that can")


def _free(folder: str) -> str:
    return f"{shutil.disk_usage(folder).free / 1e9:,.1f} GB free"
