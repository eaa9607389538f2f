#!/usr/bin/env python3
"""Prints the solution of each puzzle on its input, and how many digits it tried."""
import sys

def solve(grid):
    global nodes
    if 0 not in grid: return grid
    seen = lambda i: {grid[j] for j in range(81) if i//9 == j//9 or i%9 == j%9 or (i//27, i%9//3) == (j//27, j%9//3)}
    cell, digits = min(((i, set(range(1, 10)) - seen(i)) for i in range(81) if not grid[i]), key=lambda it: len(it[1]))
    for digit in sorted(digits):
        nodes += 1
        if solution := solve(grid[:cell] + [digit] + grid[cell+1:]): return solution

for line in sys.stdin:
    nodes = 0
    solution = solve([int(c) if c.isdigit() else 0 for c in line.strip()])
    print("".join(map(str, solution)) if solution else "none", f"nodes={nodes}")
