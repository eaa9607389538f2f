//! Published results about canonical forms and automorphisms.

use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::{Puzzle, solutions};

/// Canonical forms of filled grids, with the number of their automorphisms and the source.
const GRIDS: [(&str, u32, &str); 3] = [
    (
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
        648,
        "MC, \"most canonical\": the one grid of 648 automorphisms (\"Grid: quick minlex and grids auto morphs\", New Sudoku \
         Players' Forum, t44302)",
    ),
    (
        "123456789457893612986217354274538196531964827698721435342685971715349268869172543",
        72,
        "the largest canonical form of all grids (Red Ed, \"Canonical form\", New Sudoku Players' Forum, t5215, 2007)",
    ),
    (
        "123456789456789123789123456214365897365897214897214365531642978642978531978531642",
        3,
        "the smallest canonical form of all grids (Red Ed, in the same thread; the number of automorphisms comes from `every_order.rs`)",
    ),
];

/// All numbers of automorphisms that filled grids have. There are 5,472,730,538 classes of grids (gsf and kjellfp, "Canonical form", New
/// Sudoku Players' Forum, t5215, 2007).
const AUTOMORPHISMS_OF_GRIDS: [u32; 16] = [1, 2, 3, 4, 6, 8, 9, 12, 18, 27, 36, 54, 72, 108, 162, 648];

fn puzzle(text: &str) -> Puzzle {
    text.parse().unwrap()
}

#[test]
fn grids_of_known_canonical_form_and_automorphisms() {
    let (mut canonicalizer, mut random) = (Canonicalizer::default(), Random::new(648));
    for (text, automorphisms, source) in GRIDS {
        let grid = puzzle(text);
        for _ in 0..10 {
            let isomorph = Transformation::random(&mut random).apply(&grid);
            let canonical = canonicalizer.canonical(&isomorph);
            assert_eq!((canonical.form, canonical.automorphisms), (grid, automorphisms), "{source}");
        }
    }
}

/// The grids of this test start with the band that has the most automorphisms, because such grids are more likely to have automorphisms.
#[test]
fn grids_have_a_published_number_of_automorphisms() {
    let band = puzzle(&format!("{:.<81}", "123456789456789123789123456"));
    let mut canonicalizer = Canonicalizer::default();
    let mut counts: Vec<u32> =
        solutions(&band).take(300).map(|grid| canonicalizer.canonical(&grid.into()).automorphisms).collect();
    counts.sort_unstable();
    counts.dedup();
    assert!(
        counts.len() > 2 && counts.iter().all(|count| AUTOMORPHISMS_OF_GRIDS.contains(count)),
        "{counts:?}"
    );
}

/// The number of automorphisms is the number of all orders of the cells, divided by the number of different boards that these orders make.
/// Boards that differ only in the names of the digits count as one board.
#[test]
fn automorphisms_of_few_clues_as_counted_by_hand() {
    const ALL: u32 = 2 * 1_296 * 1_296;
    // For each cell, there are 80 other cells: 4 in its minirow and its minicolumn, 4 more in its box, 12 more in its row and column, 24
    // more in its band and stack, and 36 elsewhere.
    for (clues, ways, form) in [
        ("", 1, ""),
        ("5", 81, "1"),
        ("57", 81 * 4 / 2, "12"),
        ("55", 81 * 4 / 2, "11"),
        ("5.........7", 81 * 4 / 2, "1.......2."),
        ("5...........7", 81 * 24 / 2, "1.....2..."),
        ("5..............................7", 81 * 36 / 2, "1.......................2..."),
        ("5..7", 81 * 12 / 2, "1..2"),
        ("987654321", 18, "123456789"),
    ] {
        let board = puzzle(&format!("{:.<81}", clues));
        let canonical = Canonicalizer::default().canonical(&board);
        assert_eq!(canonical.automorphisms, ALL / ways, "{clues}");
        assert_eq!(canonical.form.to_string(), format!("{form:.>81}"), "{clues}");
    }
}
