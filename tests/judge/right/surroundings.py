# Prints the right answer if the judge started it as promised: in an empty folder and a process group of its own, without a terminal, with
# three file descriptors, with no signal ignored or blocked, and with only the environment variables in KNOWN. Expected verdict: AC
# (accepted).
import os
import signal
import sys

# The last two variables mark the processes that the judge and scripts/check-judge start.
KNOWN = {"PATH", "HOME", "TMPDIR", "LANG", "SUDOBENCH_CHILD", "SUDOBENCH_CHECK_JUDGE"}

sys.stdin.read()
answer = sys.argv[1]
for descriptor in range(3, 1000):
    try:
        os.fstat(descriptor)
        print("there is descriptor", descriptor)
    except OSError:
        pass
if os.listdir():
    print("the folder has", *os.listdir())
if os.getpid() != os.getpgid(0):
    print("process", os.getpid(), "is in the group", os.getpgid(0))
try:
    os.open("/dev/tty", os.O_RDWR)
    print("there is a terminal")
except OSError:
    pass
# Python itself ignores these two signals.
for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
    if signal.getsignal(number) == signal.SIG_IGN:
        print("ignored signal:", number)
if signal.pthread_sigmask(signal.SIG_BLOCK, []):
    print("blocked signals:", *signal.pthread_sigmask(signal.SIG_BLOCK, []))
if set(os.environ) - KNOWN:
    print("unexpected variables:", *set(os.environ) - KNOWN)
for row in range(9):
    print(*answer[row * 9 : row * 9 + 9])
