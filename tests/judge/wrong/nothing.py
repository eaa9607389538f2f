# Reads the puzzle, and prints nothing. WA.
import sys

sys.stdin.read()
