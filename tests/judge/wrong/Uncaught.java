// Reads one line more than there are. RTE: Java ends a program with an uncaught exception with exit code 1.
import java.util.Scanner;

class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int i = 0; i < 10; i++) {
            in.nextLine();
        }
    }
}
