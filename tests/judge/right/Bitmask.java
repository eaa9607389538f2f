// A backtracker with a list of the blanks. A mask of nine bits for each row, column and box shows which digits it already has. With the
// argument `2239`, it prints the solution in the format of the problem BOJ 2239.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

class Main {
    static int[][] board = new int[9][9];
    static int[] blanks = new int[81];
    static int count = 0;
    static int[] rows = new int[9];
    static int[] columns = new int[9];
    static int[] boxes = new int[9];

    static void flip(int row, int column, int bit) {
        rows[row] ^= bit;
        columns[column] ^= bit;
        boxes[row / 3 * 3 + column / 3] ^= bit;
    }

    static boolean fill(int index) {
        if (index == count) return true;
        int row = blanks[index] / 9;
        int column = blanks[index] % 9;
        int allowed = 0x1ff & ~(rows[row] | columns[column] | boxes[row / 3 * 3 + column / 3]);
        while (allowed != 0) {
            int bit = allowed & -allowed;
            allowed ^= bit;
            board[row][column] = Integer.numberOfTrailingZeros(bit) + 1;
            flip(row, column, bit);
            if (fill(index + 1)) return true;
            flip(row, column, bit);
        }
        return false;
    }

    public static void main(String[] args) throws IOException {
        boolean compact = args.length > 0 && args[0].equals("2239");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (int i = 0; i < 9; i++) {
            String line = in.readLine().replace(" ", "");
            for (int j = 0; j < 9; j++) {
                board[i][j] = line.charAt(j) - '0';
                if (board[i][j] == 0) {
                    blanks[count++] = i * 9 + j;
                } else {
                    flip(i, j, 1 << (board[i][j] - 1));
                }
            }
        }
        fill(0);
        StringBuilder text = new StringBuilder();
        for (int[] row : board) {
            for (int digit : row) {
                text.append(digit);
                if (!compact) text.append(' ');
            }
            text.append('\n');
        }
        System.out.print(text);
    }
}
