// Writes where no memory is. RTE by SIGSEGV.
#include <iostream>
using namespace std;

int main() {
    int* volatile board = nullptr;
    board[0] = 1;
    cout << board[0] << '\n';
}
