# Closes its standard input unread, and ends without an answer. Expected verdict: WA (wrong answer).
import os

os.close(0)
