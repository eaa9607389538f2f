# A backtracker: at each blank, it makes a list of the possible digits; when the board is full, it checks the whole board. With the argument
# `2239`, it prints the solution in the format of the problem BOJ 2239.
import sys

between = "" if sys.argv[1:] == ["2239"] else " "
digits = iter("".join(sys.stdin.read().split()))
board = [[int(next(digits)) for _ in range(9)] for _ in range(9)]
blanks = [(i, j) for i in range(9) for j in range(9) if board[i][j] == 0]


def candidates(row, column):
    held = [False] * 10
    top, left = row // 3 * 3, column // 3 * 3
    for i in range(9):
        held[board[row][i]] = True
        held[board[i][column]] = True
        held[board[top + i // 3][left + i % 3]] = True
    return [digit for digit in range(1, 10) if not held[digit]]


def right():
    for unit in range(9):
        top, left = unit // 3 * 3, unit % 3 * 3
        row = {board[unit][i] for i in range(9)}
        column = {board[i][unit] for i in range(9)}
        box = {board[top + i // 3][left + i % 3] for i in range(9)}
        if not len(row) == len(column) == len(box) == 9:
            return False
    return True


def fill(index):
    if index == len(blanks):
        if right():
            for row in board:
                print(*row, sep=between)
            sys.exit()
        return
    row, column = blanks[index]
    for digit in candidates(row, column):
        board[row][column] = digit
        fill(index + 1)
    board[row][column] = 0


fill(0)
