# Prints the right answer, writes a file next to its own folder, and removes the folder. Expected verdict: AC (accepted). The judge leaves
# no file behind.
import os
import sys

sys.stdin.read()
answer = sys.argv[1]
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
folder = os.environ["HOME"]
with open(folder + "-file", "w") as file:
    file.write("left")
os.rmdir(folder)
