# Ignores SIGTERM, and never ends. TLE.
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    pass
