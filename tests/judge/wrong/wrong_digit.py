# Prints the right answer with one wrong digit in a blank. Expected verdict: WA (wrong answer).
import sys

puzzle = sys.stdin.read().split()
answer = [int(digit) for digit in sys.argv[1]]
blank = puzzle.index("0")
answer[blank] = answer[blank] % 9 + 1
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
