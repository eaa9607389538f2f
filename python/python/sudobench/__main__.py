"""The command `sudobench`, in this process: `python -m sudobench`."""

import os
import signal
import sys

from . import _sudobench


def main() -> int:
    """Runs the command that was typed and returns its exit code."""
    for stream in (0, 1, 2):
        try:
            os.fstat(stream)
        except OSError:
            # Else the next file that is opened would be taken for it.
            os.open(os.devnull, os.O_RDWR)
    # Python's own handler only makes a note, for when it has its turn again.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _sudobench.main(["sudobench", *sys.argv[1:]], sys.executable, ["-m", "sudobench"])


if __name__ == "__main__":
    sys.exit(main())
