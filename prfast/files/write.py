"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable


def write_whole(path: str, write: Callable[[str], None]) -> None:
    """Let `write` fill a new file beside `path`, then move it there: all of it or nothing.

    An existing file stays as it is unless the new one is complete, and keeps its permissions; where
    `path` is a link, the file that it points to is the one.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    draft = None
    try:
        mode = _mode(target)
        handle, draft = tempfile.mkstemp(suffix=os.path.splitext(name)[1], dir=folder)
        os.close(handle)
        write(draft)
        os.chmod(draft, mode)
        os.replace(draft, target)
    except BaseException as error:
        if draft is not None:
            os.unlink(draft)
        if isinstance(error, OSError) and os.path.dirname(str(error.filename)) == folder:
            raise OSError(error.errno, error.strerror, path) from None  # who knows of a draft?
        raise


def _mode(path: str) -> int:
    """Permissions of an existing file, or the usual ones of a new one."""
    try:
        found = os.stat(path).st_mode
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if not stat.S_ISREG(found) and not stat.S_ISDIR(found):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return stat.S_IMODE(found)
