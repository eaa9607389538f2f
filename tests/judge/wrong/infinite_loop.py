# Never ends, and keeps a core busy. Expected verdict: TLE (time limit exceeded).
while True:
    pass
