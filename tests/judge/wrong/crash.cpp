// Writes through a null pointer, so the signal SIGSEGV ends the program. Expected verdict: RTE (runtime error).
#include <iostream>
using namespace std;

int main() {
    int* volatile board = nullptr;
    board[0] = 1;
    cout << board[0] << '\n';
}
