// Never ends, and keeps a core busy. TLE.
int main() {
    volatile bool forever = true;
    while (forever) {
    }
}
