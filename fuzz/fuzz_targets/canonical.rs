//! Finds the canonical form of any board. Checks that the transformation leads to this form, that the canonical form of this form is the
//! form itself, and that a random isomorph has the same canonical form and the same number of automorphisms.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;

fuzz_target!(|input: (u64, [u8; 81])| {
    let (seed, bytes) = input;
    let board = board_of(&bytes);
    let mut canonicalizer = Canonicalizer::default();
    let canonical = canonicalizer.canonical(&board);
    assert!(canonical.form <= board);
    assert_eq!(canonical.transformation.apply(&board), canonical.form);
    assert_eq!(canonical.transformation.inverse().apply(&canonical.form), board);

    let isomorph = Transformation::random(&mut Random::new(seed)).apply(&board);
    for other in [canonical.form, isomorph] {
        let of_other = canonicalizer.canonical(&other);
        assert_eq!(
            (of_other.form, of_other.automorphisms),
            (canonical.form, canonical.automorphisms),
            "{other}"
        );
        assert_eq!(of_other.transformation.apply(&other), canonical.form);
    }
});

/// Makes a board from bytes. A byte gives the value of its cell, or says that the cell has the digit of a certain filled grid. So filled
/// grids, for which there is a separate search, are not rare.
fn board_of(bytes: &[u8; 81]) -> Puzzle {
    let values = std::array::from_fn(|cell| match bytes[cell] {
        byte @ 0..160 => byte % 10,
        _ => ((cell / 9 * 3 + cell / 27 + cell % 9) % 9 + 1) as u8,
    });
    Puzzle::try_from(values).unwrap()
}
