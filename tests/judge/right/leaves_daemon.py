# Like leaves_grandchild.py, but the grandchild is a daemon: it has its own session, and ignores SIGTERM and SIGHUP. Expected verdict: AC
# (accepted). The judge ends the daemon.
import os
import signal
import sys
import time

sys.stdin.read()
answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9], flush=True)
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if os.fork() == 0:
        os.write(write, b"!")
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        time.sleep(1000)
    os._exit(0)
os.wait()
# Waits until the daemon has started.
os.read(read, 1)
