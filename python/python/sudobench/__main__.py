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
            # Opens /dev/null for a closed standard stream. Otherwise the first file that is opened later would get the
            # number of this stream.
            os.open(os.devnull, os.O_RDWR)
    # Restores the default action of Ctrl-C. The handler of Python would only set a flag, which is not checked before
    # Python code runs again.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _sudobench.main(["sudobench", *sys.argv[1:]], sys.executable, ["-m", "sudobench"])


if __name__ == "__main__":
    sys.exit(main())
