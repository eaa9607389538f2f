# Prints the right answer and ends. A grandchild process with the same standard output continues to sleep. Expected verdict: AC (accepted).
# The judge ends the grandchild.
import os
import sys
import time

sys.stdin.read()
answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9], flush=True)
if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
os.wait()
