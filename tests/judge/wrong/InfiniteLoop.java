// Never ends, and keeps a core busy. Expected verdict: TLE (time limit exceeded).
class Main {
    static volatile boolean forever = true;

    public static void main(String[] args) {
        while (forever) {
        }
    }
}
