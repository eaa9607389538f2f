# Sleeps, which costs no CPU time. TLE by the wall limit.
import time

time.sleep(1000)
