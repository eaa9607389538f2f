# Waits for a child that never ends and keeps a core busy. The processor time of the child counts as time of the program. Expected verdict:
# TLE (time limit exceeded).
import os

if os.fork() == 0:
    while True:
        pass
os.wait()
