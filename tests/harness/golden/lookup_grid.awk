# Reads puzzles and their solutions from the first file, then prints the solution of the grid in the second, with `separator` between
# the digits of a row.
BEGIN { FS = "," }
NR == FNR { solutions[$2] = $3; next }
{ gsub(/ /, ""); gsub(/0/, "."); puzzle = puzzle $0 }
END {
    for (row = 0; row < 9; row++) {
        line = substr(solutions[puzzle], 9 * row + 1, 9)
        gsub(/[0-9]/, "&" separator, line)
        print substr(line, 1, separator == "" ? 9 : 17)
    }
}
