// A backtracker that calls itself for each of the 81 cells. One loop searches the row, the column and the box for a digit, and a flag
// stops the search after the first solution. With the argument `2239`, it prints the solution in the format of the problem BOJ 2239.
import java.util.Scanner;

class Main {
    static int[] board = new int[81];
    static boolean finished = false;
    static boolean compact;

    static boolean valid(int cell, int digit) {
        int row = cell / 9;
        int column = cell % 9;
        int corner = row / 3 * 27 + column / 3 * 3;
        for (int i = 0; i < 9; i++) {
            if (board[row * 9 + i] == digit
                    || board[i * 9 + column] == digit
                    || board[corner + i / 3 * 9 + i % 3] == digit) {
                return false;
            }
        }
        return true;
    }

    static void fill(int cell) {
        if (finished) return;
        if (cell == 81) {
            finished = true;
            print();
            return;
        }
        if (board[cell] != 0) {
            fill(cell + 1);
            return;
        }
        for (int digit = 1; digit <= 9; digit++) {
            if (valid(cell, digit)) {
                board[cell] = digit;
                fill(cell + 1);
                if (finished) return;
                board[cell] = 0;
            }
        }
    }

    static void print() {
        for (int row = 0; row < 9; row++) {
            for (int column = 0; column < 9; column++) {
                System.out.print(board[row * 9 + column]);
                if (!compact) System.out.print(" ");
            }
            System.out.println();
        }
    }

    public static void main(String[] args) {
        compact = args.length > 0 && args[0].equals("2239");
        Scanner in = new Scanner(System.in);
        int cell = 0;
        while (cell < 81) {
            for (char digit : in.next().toCharArray()) {
                board[cell++] = digit - '0';
            }
        }
        fill(0);
    }
}
