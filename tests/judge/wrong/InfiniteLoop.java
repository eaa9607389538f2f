// Never ends, and keeps a core busy. TLE.
class Main {
    static volatile boolean forever = true;

    public static void main(String[] args) {
        while (forever) {
        }
    }
}
