# Waits for a child that never ends and keeps a core busy: the processor time of the child counts as time of the program. TLE.
import os

if os.fork() == 0:
    while True:
        pass
os.wait()
