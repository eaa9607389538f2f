# Closes its standard input without reading it, and prints the right answer. Expected verdict: AC (accepted).
import os
import sys

os.close(0)
answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
