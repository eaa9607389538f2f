# Never ends, and keeps a core busy. TLE.
while True:
    pass
