// A backtracker with a list of the blanks. For each digit, it searches the row, the column and the box for the same digit. With the
// argument `2239`, it prints the solution in the format of the problem BOJ 2239.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

class Main {
    static int[][] board = new int[9][9];
    static List<int[]> blanks = new ArrayList<>();
    static String between;

    static boolean allowed(int row, int column, int digit) {
        for (int i = 0; i < 9; i++) {
            if (board[row][i] == digit) return false;
        }
        for (int i = 0; i < 9; i++) {
            if (board[i][column] == digit) return false;
        }
        int top = row / 3 * 3;
        int left = column / 3 * 3;
        for (int i = top; i < top + 3; i++) {
            for (int j = left; j < left + 3; j++) {
                if (board[i][j] == digit) return false;
            }
        }
        return true;
    }

    static void fill(int index) {
        if (index == blanks.size()) {
            print();
            System.exit(0);
        }
        int row = blanks.get(index)[0];
        int column = blanks.get(index)[1];
        for (int digit = 1; digit <= 9; digit++) {
            if (allowed(row, column, digit)) {
                board[row][column] = digit;
                fill(index + 1);
                board[row][column] = 0;
            }
        }
    }

    static void print() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j < 9; j++) {
                text.append(board[i][j]).append(between);
            }
            text.append('\n');
        }
        System.out.print(text);
    }

    public static void main(String[] args) throws IOException {
        between = args.length > 0 && args[0].equals("2239") ? "" : " ";
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (int i = 0; i < 9; i++) {
            String line = in.readLine().replace(" ", "");
            for (int j = 0; j < 9; j++) {
                board[i][j] = line.charAt(j) - '0';
                if (board[i][j] == 0) blanks.add(new int[] {i, j});
            }
        }
        fill(0);
    }
}
