# Reads the puzzle, and prints nothing. Expected verdict: WA (wrong answer).
import sys

sys.stdin.read()
