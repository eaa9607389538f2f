// Prints the right answer, and ends with exit code 3, which means a failure. Expected verdict: RTE (runtime error).
#include <iostream>
using namespace std;

int main(int, char** argv) {
    for (int cell = 0; cell < 81; cell++) cout << argv[1][cell] << (cell % 9 == 8 ? '\n' : ' ');
    return 3;
}
