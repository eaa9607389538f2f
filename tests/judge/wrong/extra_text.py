# Prints the right answer, and a word after it. Expected verdict: WA (wrong answer).
import sys

sys.stdin.read()
answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
print("solved")
