// Writes to 1 GB, then prints the right answer. MLE.
#include <iostream>
#include <vector>
using namespace std;

int main(int, char** argv) {
    vector<char> memory(1 << 30, argv[1][0]);
    for (int cell = 0; cell < 81; cell++) {
        // What was written is read, so that no compiler leaves it out.
        char digit = cell == 0 ? memory.back() : argv[1][cell];
        cout << digit << (cell % 9 == 8 ? '\n' : ' ');
    }
}
