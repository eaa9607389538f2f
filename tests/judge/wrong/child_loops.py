# Waits for a child that never ends and keeps a core busy: the child's time is the program's. TLE.
import os

if os.fork() == 0:
    while True:
        pass
os.wait()
