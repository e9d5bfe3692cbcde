"""Calls in threads of Python at the same time."""

import sys
import threading


def at_once(calls):
    """What the calls return, each in a thread of its own; all begin together, and threads take
    turns very often.  What one of them raises is raised."""
    found, failed = [None] * len(calls), []
    ready = threading.Barrier(len(calls))

    def run(number, call):
        try:
            ready.wait(60)
            found[number] = call()
        except BaseException as error:
            failed.append(error)

    threads = [
        threading.Thread(target=run, args=(number, call)) for number, call in enumerate(calls)
    ]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(interval)
    if failed:
        raise failed[0]
    return found
