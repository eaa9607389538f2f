# Closes its standard input without reading it, and ends without an answer. Expected verdict: WA (wrong answer).
import os

os.close(0)
