# Prints a valid full grid that does not solve this puzzle: the digits 1 and 2 are exchanged everywhere, also in the clues. Expected
# verdict: WA (wrong answer).
import sys

sys.stdin.read()
answer = sys.argv[1].translate(str.maketrans("12", "21"))
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
