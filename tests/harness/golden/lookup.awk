# Reads puzzles and their solutions from the first file, then prints the solution of each line of the second, with the number of blanks
# as its counter.
BEGIN { FS = "," }
NR == FNR { solutions[$2] = $3; next }
{ print solutions[$1] " nodes=" gsub(/\./, "", $1) }
