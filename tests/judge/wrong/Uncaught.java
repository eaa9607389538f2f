// Reads one line more than the input has. The exception is not caught, so Java ends the program with exit code 1. Expected verdict: RTE
// (runtime error).
import java.util.Scanner;

class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int i = 0; i < 10; i++) {
            in.nextLine();
        }
    }
}
