// Prints the solution of each puzzle on its input, and how many digits it tried.
#include <iostream>
#include <string>

long nodes;

bool is_blank(char cell) { return cell < '1' || cell > '9'; }

bool solve(std::string &grid) {
    int cell = -1, fewest = 10, seen_there = 0;
    for (int i = 0; i < 81 && fewest > 0; ++i) {
        if (!is_blank(grid[i])) continue;
        int seen = 0, digits = 0;
        for (int j = 0; j < 81; ++j) {
            bool sees = i / 9 == j / 9 || i % 9 == j % 9 || (i / 27 == j / 27 && i % 9 / 3 == j % 9 / 3);
            if (sees && !is_blank(grid[j])) seen |= 1 << (grid[j] - '0');
        }
        for (int digit = 1; digit <= 9; ++digit) digits += !(seen >> digit & 1);
        if (digits < fewest) cell = i, fewest = digits, seen_there = seen;
    }
    if (cell < 0) return true;
    for (int digit = 1; digit <= 9; ++digit) {
        if (seen_there >> digit & 1) continue;
        ++nodes;
        grid[cell] = char('0' + digit);
        if (solve(grid)) return true;
    }
    grid[cell] = '.';
    return false;
}

int main() {
    for (std::string grid; std::getline(std::cin, grid);) {
        nodes = 0;
        std::cout << (solve(grid) ? grid : "none") << " nodes=" << nodes << '\n';
    }
}
