//! Reads puzzles from standard input. Prints the solution of each puzzle, and how many digits were tried to find it.

fn solve(grid: &mut [u8], nodes: &mut u64) -> bool {
    let sees =
        |i: usize, j: usize| i / 9 == j / 9 || i % 9 == j % 9 || (i / 27, i % 9 / 3) == (j / 27, j % 9 / 3);
    let free = |i: usize| {
        (b'1'..=b'9').filter(|&digit| !(0..81).any(|j| grid[j] == digit && sees(i, j))).collect::<Vec<u8>>()
    };
    let blanks = (0..81).filter(|&i| !(b'1'..=b'9').contains(&grid[i])).map(|i| (i, free(i)));
    let Some((cell, digits)) = blanks.min_by_key(|(_, digits)| digits.len()) else { return true };
    for digit in digits {
        *nodes += 1;
        grid[cell] = digit;
        if solve(grid, nodes) {
            return true;
        }
    }
    grid[cell] = b'.';
    false
}

fn main() {
    for line in std::io::stdin().lines() {
        let (mut grid, mut nodes) = (line.expect("text").into_bytes(), 0);
        let solution = if solve(&mut grid, &mut nodes) {
            String::from_utf8(grid).expect("digits")
        } else {
            "none".into()
        };
        println!("{solution} nodes={nodes}");
    }
}
