// Prints lines without end. Expected verdict: OLE (output limit exceeded).
#include <iostream>
using namespace std;

int main() {
    for (;;) cout << "1 2 3 4 5 6 7 8 9\n";
}
