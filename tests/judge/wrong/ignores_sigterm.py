# Ignores SIGTERM, and never ends. Expected verdict: TLE (time limit exceeded).
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    pass
