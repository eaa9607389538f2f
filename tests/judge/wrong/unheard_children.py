# Starts children one after the other, each of which keeps a core busy. Because this program ignores the signal SIGCHLD, the system does not
# add the processor time of the children to the time of this program. Expected verdict nevertheless: TLE (time limit exceeded).
import os
import signal
import sys
import time

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
# The solved board, with which the judge measures the start-up, is answered without children.
if "0" in sys.stdin.read():
    for _ in range(20):
        if os.fork() == 0:
            while time.process_time() < 0.1:
                pass
            os._exit(0)
        try:
            os.wait()
        except ChildProcessError:
            pass
answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
