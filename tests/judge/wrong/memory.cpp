// Fills 1 GB of memory, then prints the right answer. Expected verdict: MLE (memory limit exceeded).
#include <iostream>
#include <vector>
using namespace std;

int main(int, char** argv) {
    vector<char> memory(1 << 30, argv[1][0]);
    for (int cell = 0; cell < 81; cell++) {
        // Reads the memory, so that the compiler can't leave out the writing.
        char digit = cell == 0 ? memory.back() : argv[1][cell];
        cout << digit << (cell % 9 == 8 ? '\n' : ' ');
    }
}
