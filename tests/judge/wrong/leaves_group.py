# Joins the process group of its parent process, and sleeps. Expected verdict: TLE (time limit exceeded). The judge ends the program.
import os
import time

os.setpgid(0, os.getppid())
time.sleep(1000)
