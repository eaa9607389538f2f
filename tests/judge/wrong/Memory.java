// Fills 1 GB of the heap, then prints the right answer. Expected verdict: MLE (memory limit exceeded).
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class Main {
    public static void main(String[] args) {
        List<byte[]> memory = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            byte[] piece = new byte[1 << 20];
            Arrays.fill(piece, (byte) 1);
            memory.add(piece);
        }
        for (int row = 0; row < 9; row++) {
            System.out.println(String.join(" ", args[0].substring(row * 9, row * 9 + 9).split("")));
        }
    }
}
