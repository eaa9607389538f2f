# Prints a prompt before it reads the puzzle. Expected verdict: WA (wrong answer), although the answer after the prompt is right.
import sys

print("Puzzle:", flush=True)
sys.stdin.read()
answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
