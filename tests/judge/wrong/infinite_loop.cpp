// Never ends, and keeps a core busy. Expected verdict: TLE (time limit exceeded).
int main() {
    volatile bool forever = true;
    while (forever) {
    }
}
