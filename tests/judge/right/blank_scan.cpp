// A backtracker with a list of the blanks. For each digit, it searches the row, the column and the box for the same digit. With the
// argument `2239`, it prints the solution in the format of the problem BOJ 2239.
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>
using namespace std;

int board[9][9];
vector<pair<int, int>> blanks;
bool compact;

bool allowed(int row, int column, int digit) {
    for (int i = 0; i < 9; i++) {
        if (board[row][i] == digit) return false;
    }
    for (int i = 0; i < 9; i++) {
        if (board[i][column] == digit) return false;
    }
    int top = row / 3 * 3, left = column / 3 * 3;
    for (int i = top; i < top + 3; i++) {
        for (int j = left; j < left + 3; j++) {
            if (board[i][j] == digit) return false;
        }
    }
    return true;
}

void print() {
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            cout << board[i][j];
            if (!compact) cout << ' ';
        }
        cout << '\n';
    }
}

void fill(size_t index) {
    if (index == blanks.size()) {
        print();
        cout.flush();
        exit(0);
    }
    auto [row, column] = blanks[index];
    for (int digit = 1; digit <= 9; digit++) {
        if (allowed(row, column, digit)) {
            board[row][column] = digit;
            fill(index + 1);
            board[row][column] = 0;
        }
    }
}

int main(int argc, char** argv) {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    compact = argc > 1 && string(argv[1]) == "2239";
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            char digit;
            cin >> digit;
            board[i][j] = digit - '0';
            if (board[i][j] == 0) blanks.push_back({i, j});
        }
    }
    fill(0);
}
