# Children that keep a core busy one after the other, of whose ends it does not want to hear: the system counts their time for
# nobody. TLE all the same.
import os
import signal
import sys
import time

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
# Not on the solved board, which shows the start-up.
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
