# Starts a child that sleeps in a new session, and waits for the child. Expected verdict: TLE (time limit exceeded), because of the limit of
# wall time.
import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(1000)
    os._exit(0)
os.wait()
