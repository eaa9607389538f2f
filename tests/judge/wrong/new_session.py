# Starts a child that sleeps in a new session, and waits for the child. TLE by the wall limit.
import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(1000)
    os._exit(0)
os.wait()
