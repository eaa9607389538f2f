# Sleeps, which uses no processor time. Expected verdict: TLE (time limit exceeded), because of the limit of wall time.
import time

time.sleep(1000)
