# A full grid without a fault, but not of this puzzle: two digits have changed their names, clues too. WA.
import sys

sys.stdin.read()
answer = sys.argv[1].translate(str.maketrans("12", "21"))
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
