# Kills its parent process. The judge cannot find out whether the program would have answered correctly, and continues with the next run.
# Expected verdict: JE (judge error).
import os
import signal
import sys

sys.stdin.read()
os.kill(os.getppid(), signal.SIGKILL)
