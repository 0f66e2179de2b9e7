"""How do processes that escaped from a script come to us instead of to process 1?"""

_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> bool:
    """Become the parent of every orphan among this process's descendants, and answer whether that worked.

    It holds for the whole process, so only the command line does it, never a library. Orphans of scripts are then
    reaped when their run ends.
    """
    import ctypes  # noqa: PLC0415  # costs start-up time, and only this one call needs it

    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
