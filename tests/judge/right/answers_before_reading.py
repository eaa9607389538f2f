# Prints the right answer, and only then reads the puzzle. Expected verdict: AC (accepted).
import sys

answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9], flush=True)
sys.stdin.read()
