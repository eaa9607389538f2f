# Kills its parent process. The judge cannot tell what this program would have answered, and goes on. JE.
import os
import signal
import sys

sys.stdin.read()
os.kill(os.getppid(), signal.SIGKILL)
