# Closes its standard input unread, and ends without an answer. WA.
import os

os.close(0)
