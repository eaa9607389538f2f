// A backtracker that calls itself for each of the 81 cells. Three tables show which digits each row, column and box already has. With the
// argument `2239`, it prints the solution in the format of the problem BOJ 2239.
#include <iostream>
#include <string>
using namespace std;

int board[9][9];
bool inRow[9][10], inColumn[9][10], inBox[9][10];

bool fill(int cell) {
    if (cell == 81) return true;
    int row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
    if (board[row][column] != 0) return fill(cell + 1);
    for (int digit = 1; digit <= 9; digit++) {
        if (inRow[row][digit] || inColumn[column][digit] || inBox[box][digit]) continue;
        board[row][column] = digit;
        inRow[row][digit] = inColumn[column][digit] = inBox[box][digit] = true;
        if (fill(cell + 1)) return true;
        inRow[row][digit] = inColumn[column][digit] = inBox[box][digit] = false;
        board[row][column] = 0;
    }
    return false;
}

int main(int argc, char** argv) {
    bool compact = argc > 1 && string(argv[1]) == "2239";
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            char read;
            cin >> read;
            int digit = board[i][j] = read - '0';
            inRow[i][digit] = inColumn[j][digit] = inBox[i / 3 * 3 + j / 3][digit] = true;
        }
    }
    fill(0);
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) cout << board[i][j] << (compact ? "" : " ");
        cout << '\n';
    }
}
