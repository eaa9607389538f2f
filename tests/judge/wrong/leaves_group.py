# Goes into the process group of the process that started it, and sleeps. TLE, and it is gone.
import os
import time

os.setpgid(0, os.getppid())
time.sleep(1000)
